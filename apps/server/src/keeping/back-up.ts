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
import { beginBeside } from './unfinished-files.ts'

// More pages than there can be: copied in one step, the copy is of one moment, and no write makes it start anew.
const ALL_PAGES = 2 ** 30

export interface Backup {
  file: string
  bytes: number
  sha256: string
  migrations: string[]
}

/**
 * Everything in one file, while servers work on it. The file appears when it is whole, checked and on the disk. It is the
 * same kind of file whatever the store, so that it can be restored to either.
 */
export async function backUp(
  store: Store,
  file: string,
  { replace }: { replace: boolean },
): Promise<Backup> {
  if (!replace && existsSync(file)) {
    throw new AppError('conflict', `${file} is there already. Give another name, or --force.`)
  }
  const copy = beginBeside(file, 'copy')
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
      `There is nothing in the data folder ${folder} yet. Set DATA_DIR to the server's folder.`,
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

/** From PostgreSQL, as it is at one moment; compared with it, row by row. */
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

/** Before SQLite does, for its owner's eyes only. */
async function makeFile(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close()
}

/** On a disk that nobody can write to any more there is no place for SQLite's own files, and no need of them. */
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
