import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { databaseFile } from './data-folder.ts'
import type { Database } from './database.ts'
import { connectForMigration } from './postgres/connect-postgres.ts'
import { withoutPassword } from './redact-password.ts'
import { connectSnapshot } from './sqlite/connect-sqlite.ts'

type Source = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Reads a consistent snapshot of the store while other processes keep writing. */
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
      await refuseEmpty(db, databaseUrl)
      return read(db)
    })
  } finally {
    await db.destroy()
  }
}

async function refuseEmpty(db: Database, url: string): Promise<void> {
  const { rows } = await sql<{
    has_tables: boolean
  }>`SELECT to_regclass('users') IS NOT NULL AS has_tables`.execute(db)
  if (rows[0]!.has_tables) return
  throw new AppError(
    'not_found',
    `The database ${withoutPassword(url)} is empty. Set DATABASE_URL to the server's database.`,
  )
}
