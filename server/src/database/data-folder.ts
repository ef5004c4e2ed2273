import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storageFaultOf } from './storage-fault.ts'

/**
 * Keeps a second server off the same data folder: each would take the other's running answers for those of a crash.
 * SQLite's own file lock does it, which the system lets go of however the process ends.
 */
export function lockDataFolder(folder: string): () => void {
  const lock = new DatabaseSync(join(folder, 'server.lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    if (storageFaultOf(cause) !== 'busy') throw cause
    throw new Error(
      `Another Docent server is using the data folder ${folder}. Stop it, or give this one another DATA_DIR.`,
      { cause },
    )
  }
  return () => lock.close()
}

export function databaseFile(folder: string): string {
  return join(folder, 'docent.db')
}

/** Where other programs work on documents for as long as they do. */
export function programsFolder(folder: string): string {
  return join(folder, 'conversions')
}

/** Makes the folder, for its owner's eyes only, or says why it can't be used. */
export function openDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const file = databaseFile(folder)
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
  } catch (cause) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
    const reason = isFile ? 'is no folder' : 'can’t be written by this user'
    throw new Error(`The data folder ${folder} ${reason}. Give another one with DATA_DIR.`, {
      cause,
    })
  }
}
