import { existsSync } from 'node:fs'
import type { Config } from './config.ts'
import { connectSqlite } from './database/connect-sqlite.ts'
import { databaseFile, openDataFolder } from './database/data-folder.ts'
import { AppError } from './errors.ts'

/** The database of a server that has been started before, whether it runs now or not. */
export function openExisting({ dataDir }: Config): ReturnType<typeof connectSqlite> {
  if (!existsSync(databaseFile(dataDir))) {
    throw new AppError(
      'not_found',
      `There is nothing in the data folder ${dataDir} yet: start the server first, or set DATA_DIR to its folder.`,
    )
  }
  openDataFolder(dataDir)
  return connectSqlite(databaseFile(dataDir))
}
