import { existsSync, renameSync } from 'node:fs'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import {
  claimDataFolder,
  databaseFile,
  openDataFolder,
  refuseUnreadable,
} from '../database/data-folder.ts'
import type { Database } from '../database/database.ts'
import { refuseOtherSchema } from '../database/migrate.ts'
import {
  COMPLETE,
  findDatabaseMove,
  findFolderMove,
  markDatabase,
  markFolder,
} from '../database/moved-marker.ts'
import { openDatabase, openFile } from '../database/open-database.ts'
import { readSnapshot } from '../database/read-snapshot.ts'
import { withoutPassword } from '../database/redact-password.ts'
import { AppError } from '../errors.ts'
import { interruptRunningMessages } from '../features/messages/messages.store.ts'
import { compareStores, copyStore } from './copy-store.ts'
import { freeName } from './free-name.ts'
import { flushFolder } from './sealed-file.ts'
import type { Digest } from './store-tables.ts'

export type Store = Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseConnections'>

export interface Moved {
  /** Rows written or removed in the target. */
  changes: number
  finished: boolean
  /** Digest of each table. Empty unless the move is finished. */
  tables: Record<string, Digest>
}

/**
 * Makes the target equal to the source. While the server runs, this is a head start. `finish` requires a stopped
 * server. It copies the rest, compares every table, and then puts the target in charge and marks the source as moved.
 */
export async function moveStore(
  from: Store,
  to: Store,
  { finish, say }: { finish: boolean; say: (line: string) => void },
): Promise<Moved> {
  if (from.databaseUrl === undefined) refuseUnreadable(from.dataDir)
  const unlock = finish ? await blockWriters(from) : () => {}
  try {
    const target = await openTarget(to)
    let tables: Record<string, Digest> = {}
    let changes = 0
    try {
      await readSnapshot(from, async (source) => {
        await refuseOtherSchema(source)
        changes = await copyStore(source, target.db, say)
        if (finish) tables = await compareStores(source, target.db)
      })
      if (finish) await interruptRunningMessages(target.db)
    } finally {
      await target.close()
    }
    if (finish) {
      // A server that started meanwhile may have written rows that are not in the copy.
      if (from.databaseUrl !== undefined) await refuseServed(from)
      await activateTarget(from, to)
    }
    return { changes, finished: finish, tables }
  } finally {
    unlock()
  }
}

/** Ensures that no process writes to the store. */
async function blockWriters(store: Store): Promise<() => void> {
  if (store.databaseUrl === undefined) return claimDataFolder(store.dataDir)
  await refuseServed(store)
  return () => {}
}

async function refuseServed(store: Store): Promise<void> {
  const alive = await readSnapshot(store, (db) =>
    db.selectFrom('nodes').select('id').where('alive_until', '>', sql<number>`now_ms()`).execute(),
  )
  if (alive.length > 0) {
    throw new AppError(
      'conflict',
      `${alive.length} Docent servers are using the database. Stop them first. If one was killed, wait 15 seconds.`,
    )
  }
}

interface Target {
  db: Database
  close(): Promise<void>
}

/** Opens an empty target, or one of an unfinished move. It is not served until it is complete. */
export async function openTarget({
  dataDir,
  databaseUrl,
  databaseConnections,
}: Store): Promise<Target> {
  if (databaseUrl !== undefined) {
    const open = await openDatabase({ dataDir, databaseUrl, databaseConnections }, { moving: true })
    const isMarked = (await findDatabaseMove(open.db)) !== undefined
    const user = await open.db.selectFrom('users').select('id').limit(1).executeTakeFirst()
    if (user && !isMarked) {
      await open.close()
      throw new AppError('conflict', 'The target database is not empty. Give an empty one.')
    }
    await markDatabase(open.db)
    return open
  }
  openDataFolder(dataDir)
  if (existsSync(databaseFile(dataDir)) && findFolderMove(dataDir) === undefined) {
    throw new AppError('conflict', `${dataDir} is not empty. Set another DATA_DIR.`)
  }
  if (findFolderMove(dataDir) === undefined) markFolder(dataDir)
  return openFile(movingFile(dataDir))
}

/** Servers never open this name. */
function movingFile(folder: string): string {
  return `${databaseFile(folder)}.moving`
}

/** Marks the target first. If this is interrupted, the source is still served and the step can be repeated. */
async function activateTarget(from: Store, to: Store): Promise<void> {
  if (to.databaseUrl === undefined) {
    const file = databaseFile(to.dataDir)
    if (existsSync(file)) renameSync(file, freeName(`${file}.before-move`))
    renameSync(movingFile(to.dataDir), file)
    markFolder(to.dataDir, COMPLETE)
    await flushFolder(file)
    await markPostgres(from, `the data folder ${to.dataDir}`)
  } else {
    await markPostgres(to, COMPLETE)
    markFolder(from.dataDir, withoutPassword(to.databaseUrl))
    await flushFolder(databaseFile(from.dataDir))
  }
}

async function markPostgres(store: Store, value: string): Promise<void> {
  const { db, close } = await openDatabase(store, { moving: true })
  await markDatabase(db, value)
  await close()
}
