import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import type { Database } from './database.ts'
import { isPostgres } from './dialect.ts'
import * as postgresInitial from './migrations/0001-initial.postgres.ts'
import * as initial from './migrations/0001-initial.ts'
import * as postgresQuestionKeys from './migrations/0003-question-keys.postgres.ts'
import * as questionKeys from './migrations/0003-question-keys.ts'
import * as postgresRevisionPieces from './migrations/0004-revision-pieces.postgres.ts'
import * as revisionPieces from './migrations/0004-revision-pieces.ts'
import * as analysis from './migrations/0005-analysis.ts'
import * as rows from './migrations/0006-rows-are-sentences.ts'
import * as failed from './migrations/0007-failed-are-read-again.ts'
import * as reader from './migrations/0008-reader-of-visits.ts'
import * as postgresMessageTotals from './migrations/0011-message-totals.postgres.ts'
import * as messageTotals from './migrations/0011-message-totals.ts'
import * as postgresTokenReservations from './migrations/0012-token-reservations.postgres.ts'
import * as tokenReservations from './migrations/0012-token-reservations.ts'
import * as postgresFormerBehavior from './migrations/0014-former-behavior.postgres.ts'
import * as formerBehavior from './migrations/0014-former-behavior.ts'
import * as answering from './migrations/0015-answering-settings.ts'
import * as closingMarks from './migrations/0017-marks-close-sentences.ts'

// Under the same names for both stores.
const migrations = {
  '0001-initial': initial,
  '0003-question-keys': questionKeys,
  '0004-revision-pieces': revisionPieces,
  '0005-analysis': analysis,
  '0006-rows-are-sentences': rows,
  '0007-failed-are-read-again': failed,
  '0008-reader-of-visits': reader,
  '0011-message-totals': messageTotals,
  '0012-token-reservations': tokenReservations,
  '0014-former-behavior': formerBehavior,
  '0015-answering-settings': answering,
  '0017-marks-close-sentences': closingMarks,
}
const postgresMigrations = {
  ...migrations,
  '0001-initial': postgresInitial,
  '0003-question-keys': postgresQuestionKeys,
  '0004-revision-pieces': postgresRevisionPieces,
  '0011-message-totals': postgresMessageTotals,
  '0012-token-reservations': postgresTokenReservations,
  '0014-former-behavior': postgresFormerBehavior,
}

/** What this version knows. A database with any other is of a newer one. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(migrations)

/** Throws where a schema was made by migrations that this version does not know: a newer version has written to it. */
export function refuseNewerSchema(applied: readonly string[]): void {
  if (applied.toSorted().every((name, i) => name === MIGRATION_NAMES[i])) return
  throw new AppError(
    'conflict',
    'This data was written by a newer version of Docent. Start that version, or restore a backup.',
  )
}

/** The names of the migrations that made the schema of a database; none before the first start. */
export async function listApplied(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Brings the schema up to date. A database of a newer version is refused and left as it is. Of several nodes that
 * start together one does it, and the others wait for it.
 */
export async function migrate(db: Database): Promise<void> {
  if (!isPostgres(db)) return migrateWith(db, migrations)
  await db.transaction().execute(async (db) => {
    // Before the first look: what another node is about to make would be made twice.
    await lockMigration(db)
    await migrateWith(db, postgresMigrations)
  })
}

/** Until the end of the transaction. */
export async function lockMigration(db: Database): Promise<void> {
  await db.getExecutor().adapter.acquireMigrationLock(db, { lockTable: '', lockRowId: '' })
}

async function migrateWith(db: Database, all: Record<string, Migration>): Promise<void> {
  refuseNewerSchema(await listApplied(db))
  const migrator = new Migrator({ db, provider: { getMigrations: async () => all } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
