import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../config.ts'
import { databaseFile, openDataFolder, shareDataFolder } from '../../database/data-folder.ts'
import type { Database } from '../../database/database.ts'
import { type OpenDatabase, openDatabase } from '../../database/open-database.ts'
import { AppError } from '../../errors.ts'

/** Opens the database of a server that was started before, whether it runs now or not. */
export async function openExisting(config: Config): Promise<OpenDatabase> {
  const { dataDir, databaseUrl } = config
  let endSharing = () => {}
  if (databaseUrl === undefined) {
    if (!existsSync(databaseFile(dataDir))) {
      throw new AppError(
        'not_found',
        `The data folder ${dataDir} is empty. Start the server first, or set DATA_DIR to its folder.`,
      )
    }
    openDataFolder(dataDir)
    endSharing = shareDataFolder(dataDir)
  }
  try {
    const opened = await openDatabase(config)
    const close = async () => {
      await opened.close()
      endSharing()
    }
    return { ...opened, close }
  } catch (error) {
    endSharing()
    throw error
  }
}

/** Same as `openExisting`, and closes the database after use. */
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
