import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { connectForMigration } from './connect-postgres.ts'
import { connectSnapshot } from './connect-sqlite.ts'
import { databaseFile } from './data-folder.ts'
import type { Database } from './database.ts'

type Source = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Reads the store as it is at one moment, for as long as that takes, while others go on writing. */
export async function readSnapshot<T>(
  { dataDir, databaseUrl }: Source,
  read: (db: Database) => Promise<T>,
): Promise<T> {
  const db =
    databaseUrl === undefined
      ? connectSnapshot(databaseFile(dataDir))
      : connectForMigration(databaseUrl)
  try {
    if (databaseUrl === undefined) return await read(db)
    return await db.transaction().execute(async (db) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`.execute(db)
      return read(db)
    })
  } finally {
    await db.destroy()
  }
}
