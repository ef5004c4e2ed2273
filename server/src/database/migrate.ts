import { Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import * as initial from './migrations/0001-initial.ts'

const migrations = { '0001-initial': initial }

/** What this version knows. A database with any other is of a newer one. */
export const MIGRATION_NAMES: readonly string[] = Object.keys(migrations)

/** Brings the schema up to date. A database of a newer version is refused and left as it is. */
export async function migrate(db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  if (String(error).includes('corrupted migrations')) {
    throw new Error(
      'This data folder was written by a newer version of Docent. Start that version, or restore a backup.',
      { cause: error },
    )
  }
  throw error
}
