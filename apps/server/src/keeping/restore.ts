import {
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import {
  claimDataFolder,
  databaseFile,
  openDataFolder,
  restoringFile,
} from '../database/data-folder.ts'
import { MIGRATION_NAMES } from '../database/migrate.ts'
import { COMPLETE, markDatabase, unmarkFolder } from '../database/moved-marker.ts'
import { openFile } from '../database/open-database.ts'
import { readSnapshot } from '../database/read-snapshot.ts'
import { withoutPassword } from '../database/redact-password.ts'
import { openSqlite } from '../database/sqlite/open-sqlite.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import { AppError } from '../errors.ts'
import { interruptRunningMessages } from '../features/messages/messages.store.ts'
import { checkDatabase } from './check-database.ts'
import { compareStores, copyStore } from './copy-store.ts'
import { freeName } from './free-name.ts'
import { openTarget, type Store } from './move-store.ts'
import {
  flush,
  flushFolder,
  isDamaged,
  isNewer,
  openSealed,
  type SealedFile,
} from './sealed-file.ts'
import { begin } from './unfinished-files.ts'

const LOGS = ['-wal', '-shm']

const About = z.looseObject({
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  size: z.int().positive(),
})

export interface Restored {
  /** The data folder or the database address. */
  into: string
  /** Creation time of the backup. */
  created_at: string
  /** Path of the replaced database. */
  before: string | undefined
}

/**
 * Replaces a data folder's database with a backup. The old database stays in place until the backup is unpacked,
 * checked and flushed. Then one rename replaces it.
 */
export async function restore(
  file: string,
  folder: string,
  { replace }: { replace: boolean },
): Promise<Restored> {
  const backup = await openBackup(file)
  openDataFolder(folder)
  const unlock = claimDataFolder(folder)
  const database = databaseFile(folder)
  const unpacked = begin(restoringFile(folder))
  try {
    if (!replace && readdirSync(folder).some((name) => !name.startsWith('server.lock'))) {
      throw new AppError(
        'conflict',
        `The data folder ${folder} is not empty. Set DATA_DIR to another one, or use --force to replace its data.`,
      )
    }
    await unpack(backup, file, unpacked)
    await flush(unpacked)
    const before = setAside(database)
    if (before !== undefined) await flush(before)
    renameSync(unpacked, database)
    // Last, because until here the folder's content still counts as moved.
    unmarkFolder(folder)
    await flushFolder(database)
    return { into: folder, created_at: backup.created_at, before }
  } finally {
    await rm(unpacked, { force: true })
    unlock()
  }
}

/**
 * Restores a backup into an empty PostgreSQL database. The database is served only after all rows are copied and
 * compared. The same command continues an interrupted restore.
 */
export async function restoreToPostgres(file: string, store: Store & { databaseUrl: string }) {
  const backup = await openBackup(file)
  const folder = begin(await makeTemporary())
  try {
    await unpack(backup, file, databaseFile(folder))
    // Migrates a backup of an older version.
    await (await openFile(databaseFile(folder))).close()
    const target = await openTarget(store)
    try {
      await readSnapshot({ dataDir: folder, databaseUrl: undefined }, async (source) => {
        await copyStore(source, target.db)
        await compareStores(source, target.db)
      })
      await interruptRunningMessages(target.db)
      await markDatabase(target.db, COMPLETE)
    } finally {
      await target.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const into = withoutPassword(store.databaseUrl)
  return { into, created_at: backup.created_at, before: undefined } satisfies Restored
}

async function makeTemporary(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'docent-restore-'))
  } catch (cause) {
    if (storageFaultOf(cause)) throw cause
    const reason = `This user cannot write to the temporary folder ${tmpdir()}.`
    throw new AppError('conflict', `${reason} Set TMPDIR to another folder.`, { cause })
  }
}

type OpenBackup = z.infer<typeof About> & Pick<SealedFile, 'content'>

async function openBackup(file: string): Promise<OpenBackup> {
  const { header, content } = await openSealed(file, 'backup')
  const about = About.safeParse(header)
  if (!about.success) throw isDamaged(file, about.error)
  if (!areKnown(about.data.migrations)) throw isNewer(file)
  return { ...about.data, content }
}

async function unpack({ size, content }: OpenBackup, file: string, to: string): Promise<void> {
  await pipeline(Readable.from(upTo(size, content, file)), createWriteStream(to, { mode: 0o600 }))
  const checked = checkDatabase(to)
  if (checked.problem || !areKnown(checked.migrations)) throw isDamaged(file, checked.problem)
}

function areKnown(migrations: string[]): boolean {
  return migrations.every((name) => MIGRATION_NAMES.includes(name))
}

/** A decompression bomb must not fill the disk. */
async function* upTo(size: number, content: AsyncIterable<Buffer>, file: string) {
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > size) break
    yield part
  }
  if (bytes !== size) throw isDamaged(file)
}

/** Copies the old database to a second name. The original name stays valid until the rename. */
function setAside(database: string): string | undefined {
  if (!existsSync(database)) return undefined
  const before = freeName(`${database}.before-restore`)
  if (checkpointWal(database) === 'damaged') {
    // The new database must never read the old WAL.
    for (const part of LOGS)
      if (existsSync(database + part)) renameSync(database + part, before + part)
  }
  // A killed restore leaves this partial copy, and the next restore overwrites it.
  const copy = `${database}.before-restore.partial`
  copyFileSync(database, copy, constants.COPYFILE_FICLONE)
  renameSync(copy, before)
  return before
}

/** Writes the WAL that a crash left into its database. */
function checkpointWal(database: string): 'whole' | 'damaged' {
  try {
    const old = openSqlite(database, { readOnly: false })
    try {
      old.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      old.close()
    }
  } catch (error) {
    if (storageFaultOf(error) === 'damaged') return 'damaged'
    throw error
  }
  if (existsSync(`${database}-wal`) && statSync(`${database}-wal`).size > 0) {
    throw new AppError('conflict', `Another program is using ${database}. Stop it and try again.`)
  }
  return 'whole'
}
