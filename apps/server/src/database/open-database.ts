import type { Config } from '../config.ts'
import { Analytics } from './analytics.ts'
import { databaseFile } from './data-folder.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { refuseMovedDatabase, refuseMovedFolder } from './moved-marker.ts'
import { PostgresAnalytics } from './postgres/analytics-on-postgres.ts'
import { checkPostgres } from './postgres/check-postgres.ts'
import { connectForMigration, connectPostgres } from './postgres/connect-postgres.ts'
import { SqliteAnalytics } from './sqlite/analytics-on-sqlite.ts'
import { connectSqlite } from './sqlite/connect-sqlite.ts'

export interface OpenDatabase {
  db: Database
  /** For reads that may take milliseconds. */
  searchDb: Database
  /** For reads that may take seconds. */
  analytics: Analytics
  close(): Promise<void>
}

type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseConnections'>

/** Opens the configured store and brings its schema up to date. */
export async function openDatabase(
  config: DatabaseConfig,
  { moving = false, givingUp }: { moving?: boolean; givingUp?: AbortSignal } = {},
): Promise<OpenDatabase> {
  const { databaseUrl: url } = config
  if (url !== undefined) await preparePostgres(url)
  else refuseMovedFolder(config.dataDir)
  const { db, searchDb, analytics } =
    url === undefined
      ? openSqliteHandles(databaseFile(config.dataDir))
      : openPostgresHandles(url, config.databaseConnections, givingUp)
  async function close() {
    await analytics.close()
    // Close the writer last: the last SQLite connection folds the WAL into the database file.
    await searchDb.destroy()
    await db.destroy()
  }
  try {
    if (url === undefined) await migrate(db)
    else if (!moving) await refuseMovedDatabase(db)
  } catch (error) {
    await close()
    throw error
  }
  return { db, searchDb, analytics, close }
}

function openSqliteHandles(file: string) {
  return { ...connectSqlite(file), analytics: new Analytics(new SqliteAnalytics(file)) }
}

function openPostgresHandles(url: string, connections: number, givingUp: AbortSignal | undefined) {
  const { db, searchDb, forAnalytics } = connectPostgres(url, connections, givingUp)
  return { db, searchDb, analytics: new Analytics(new PostgresAnalytics(forAnalytics, db)) }
}

/** Opens a SQLite file of any name as the source or target of a copy, with its schema up to date. */
export async function openFile(file: string): Promise<Pick<OpenDatabase, 'db' | 'close'>> {
  const { db, searchDb } = connectSqlite(file)
  async function close() {
    await searchDb.destroy()
    await db.destroy()
  }
  try {
    await migrate(db)
  } catch (error) {
    await close()
    throw error
  }
  return { db, close }
}

async function preparePostgres(url: string): Promise<void> {
  const db = connectForMigration(url)
  try {
    await checkPostgres(db, url, { mayChange: true })
    await migrate(db)
  } finally {
    await db.destroy()
  }
}
