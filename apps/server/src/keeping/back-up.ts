import { createReadStream, existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { backup, type DatabaseSync } from 'node:sqlite'
import { databaseFile, refuseUnreadable } from '../database/data-folder.ts'
import { refuseNewerSchema, refuseOtherSchema } from '../database/migrate.ts'
import { openFile } from '../database/open-database.ts'
import { readSnapshot } from '../database/read-snapshot.ts'
import { openSqlite } from '../database/sqlite/open-sqlite.ts'
import { AppError } from '../errors.ts'
import { checkDatabase } from './check-database.ts'
import { compareStores, copyStore } from './copy-store.ts'
import type { Store } from './move-store.ts'
import { flush, writeSealed } from './sealed-file.ts'
import { createTemporaryName, refuseExisting } from './unfinished-files.ts'

// More pages than a database can have. A copy in one step is consistent, and no write restarts it.
const ALL_PAGES = 2 ** 30

export interface Backup {
  file: string
  bytes: number
  sha256: string
  migrations: string[]
}

/**
 * Writes everything to one file while servers keep running. The file appears only when it is complete, checked and
 * flushed. Both stores write the same format, so a backup can be restored to either.
 */
export async function backUp(
  store: Store,
  file: string,
  { replace }: { replace: boolean },
): Promise<Backup> {
  if (!replace) refuseExisting(file)
  const copy = createTemporaryName(file, 'copy')
  try {
    await (store.databaseUrl === undefined ? copyFile(store.dataDir, copy) : copyRows(store, copy))
    const { migrations, problem } = checkDatabase(copy)
    if (problem) {
      throw new AppError(
        'conflict',
        `The database in ${store.dataDir} is damaged (${problem}). Restore the last good backup.`,
      )
    }
    refuseNewerSchema(migrations)
    const about = { created_at: new Date().toISOString(), migrations, size: await flush(copy) }
    const written = await writeSealed(file, 'backup', about, createReadStream(copy))
    return { file, ...written, migrations }
  } finally {
    await rm(copy, { force: true })
  }
}

async function copyFile(folder: string, copy: string): Promise<void> {
  const original = databaseFile(folder)
  if (!existsSync(original)) {
    throw new AppError(
      'not_found',
      `The data folder ${folder} is empty. Set DATA_DIR to the server's folder.`,
    )
  }
  refuseUnreadable(folder)
  await makeFile(copy)
  const database = openToCopy(original)
  try {
    await backup(database, copy, { rate: ALL_PAGES })
  } finally {
    database.close()
  }
}

/** Copies a PostgreSQL snapshot and compares the copy with it, row by row. */
async function copyRows(store: Store, copy: string): Promise<void> {
  await makeFile(copy)
  const { db, close } = await openFile(copy)
  try {
    await readSnapshot(store, async (source) => {
      await refuseOtherSchema(source)
      await copyStore(source, db)
      await compareStores(source, db)
    })
  } finally {
    await close()
  }
}

/** Creates the file with mode 0600 before SQLite would. */
async function makeFile(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close()
}

/** On a read-only disk, SQLite can't create its own files, and does not need them without a WAL. */
function openToCopy(file: string): DatabaseSync {
  const database = openSqlite(file, { readOnly: false })
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    if (existsSync(`${file}-wal`)) throw error
    return openSqlite(new URL(`file:${encodeURI(file)}?immutable=1`), { readOnly: true })
  }
}
