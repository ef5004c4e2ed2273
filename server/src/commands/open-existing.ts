import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../config.ts'
import { databaseFile, openDataFolder } from '../database/data-folder.ts'
import type { Database } from '../database/database.ts'
import { type OpenDatabase, openDatabase } from '../database/open-database.ts'
import { AppError } from '../errors.ts'

/** The database of a server that has been started before, whether it runs now or not. */
export function openExisting(config: Config): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = config
  if (databaseUrl === undefined) {
    if (!existsSync(databaseFile(dataDir))) {
      throw new AppError(
        'not_found',
        `There is nothing in the data folder ${dataDir} yet: start the server first, or set DATA_DIR to its folder.`,
      )
    }
    openDataFolder(dataDir)
  }
  return openDatabase(config)
}

/** The same, for as long as it is used. */
export async function withExisting<T>(
  environment: NodeJS.ProcessEnv,
  use: (db: Database) => Promise<T>,
): Promise<T> {
  const { db, close } = await openExisting(readConfig(environment))
  try {
    return await use(db)
  } finally {
    await close()
  }
}
