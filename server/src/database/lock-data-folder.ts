import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
    throw new Error(
      `Another Docent server is using the data folder ${folder}. Stop it, or give this one another DATA_DIR.`,
      { cause },
    )
  }
  return () => lock.close()
}
