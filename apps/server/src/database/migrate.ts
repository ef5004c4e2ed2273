import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import type { Database } from './database.ts'
import { isPostgres } from './dialect.ts'
import * as failed from './migrations/0007-failed-are-read-again.ts'
import * as formerBehavior from './migrations/0014-former-behavior.ts'

/** All migrations of this version. A database with any other was written by a newer version. */
export const MIGRATION_NAMES = [
  '0001-initial',
  '0003-question-keys',
  '0004-revision-pieces',
  '0005-analysis',
  '0006-rows-are-sentences',
  '0007-failed-are-read-again',
  '0008-reader-of-visits',
  '0011-message-totals',
  '0012-token-reservations',
  '0014-former-behavior',
  '0015-answering-settings',
  '0017-marks-close-sentences',
  '0018-turns-of-owners',
]

const FOLDER = join(import.meta.dirname, 'migrations')
// All other migrations are SQL files.
const IN_CODE = new Map<string, Migration>([
  ['0007-failed-are-read-again', failed],
  ['0014-former-behavior', formerBehavior],
])

/** Throws if the schema contains migrations that this version does not know. */
export function refuseNewerSchema(applied: readonly string[]): void {
  if (applied.toSorted().every((name, i) => name === MIGRATION_NAMES[i])) return
  throw new AppError(
    'conflict',
    'This data was written by a newer version of Docent. Start that version, or restore a backup.',
  )
}

/** Throws if migrations of this version are missing. Commands that read the data without a start would miss columns. */
function refuseOlderSchema(applied: readonly string[]): void {
  if (MIGRATION_NAMES.every((name) => applied.includes(name))) return
  throw new AppError(
    'conflict',
    'This data is from an older version of Docent. Start the server once to upgrade it and try again, or use the older version.',
  )
}

/** Lists the applied migrations. Empty before the first start. */
export async function listApplied(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/** For commands that read a store without migrating it. */
export async function refuseOtherSchema(db: Database): Promise<void> {
  const applied = await listApplied(db)
  refuseNewerSchema(applied)
  refuseOlderSchema(applied)
}

/**
 * Brings the schema up to date. Rejects a database of a newer version and leaves it unchanged. If several nodes start
 * together, one migrates and the others wait.
 */
export async function migrate(db: Database): Promise<void> {
  if (!isPostgres(db)) return migrateToLatest(db)
  await db.transaction().execute(async (db) => {
    // Lock before reading the state, or two nodes would run the same migrations.
    await lockMigration(db)
    await migrateToLatest(db)
  })
}

/** Held until the transaction ends. */
export async function lockMigration(db: Database): Promise<void> {
  await db.getExecutor().adapter.acquireMigrationLock(db, { lockTable: '', lockRowId: '' })
}

async function migrateToLatest(db: Database): Promise<void> {
  refuseNewerSchema(await listApplied(db))
  const all = MIGRATION_NAMES.map((name) => [name, IN_CODE.get(name) ?? migrationInSql(name)])
  const provider = { getMigrations: async () => Object.fromEntries(all) }
  const { error } = await new Migrator({ db, provider }).migrateToLatest()
  if (error) throw error
}

/**
 * Reads the statements of a file, or of its `.postgres.sql` variant. A semicolon and an empty line end each statement.
 */
function migrationInSql(name: string): Migration {
  return {
    async up(db) {
      const given = join(FOLDER, `${name}.sql`)
      const other = join(FOLDER, `${name}.postgres.sql`)
      const file = isPostgres(db) && existsSync(other) ? other : given
      const statements = readFileSync(file, 'utf8')
        .trimEnd()
        .split(/;\n{2,}/)
      for (const statement of statements) await sql.raw(statement).execute(db)
    },
  }
}
