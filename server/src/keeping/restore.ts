import {
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { databaseFile, lockDataFolder, openDataFolder } from '../database/data-folder.ts'
import { MIGRATION_NAMES } from '../database/migrate.ts'
import { openSqlite } from '../database/open-sqlite.ts'
import { storageFaultOf } from '../database/storage-fault.ts'
import { AppError } from '../errors.ts'
import { checkDatabase } from './check-database.ts'
import { flush, flushFolder, isDamaged, isNewer, openSealed } from './sealed-file.ts'

const LOGS = ['-wal', '-shm']

const About = z.looseObject({
  created_at: z.iso.datetime(),
  migrations: z.array(z.string()),
  size: z.int().positive(),
})

export interface Restored {
  folder: string
  /** When the backup was made. */
  created_at: string
  /** Where the database is that was there before. */
  before: string | undefined
}

/**
 * Puts a backup in charge of a data folder. Until it has been unpacked, checked and written to the disk the old
 * database stays where it is; then one rename puts it in place.
 */
export async function restore(
  file: string,
  folder: string,
  { replace }: { replace: boolean },
): Promise<Restored> {
  const { header, content } = await openSealed(file, 'backup')
  const about = About.safeParse(header)
  if (!about.success) throw isDamaged(file, about.error)
  const { created_at, migrations, size } = about.data
  if (!areKnown(migrations)) throw isNewer(file)

  openDataFolder(folder)
  const unlock = lockDataFolder(folder)
  const database = databaseFile(folder)
  const unpacked = `${database}.restoring`
  try {
    if (!replace && readdirSync(folder).some((name) => !name.startsWith('server.lock'))) {
      throw new AppError(
        'conflict',
        `The data folder ${folder} is not empty. Give another one with DATA_DIR, or --force to replace what is there.`,
      )
    }
    rmSync(unpacked, { force: true })
    await pipeline(
      Readable.from(upTo(size, content, file)),
      createWriteStream(unpacked, { mode: 0o600 }),
    )
    const checked = checkDatabase(unpacked)
    if (checked.problem || !areKnown(checked.migrations)) throw isDamaged(file, checked.problem)
    await flush(unpacked)
    const before = setAside(database)
    if (before !== undefined) await flush(before)
    renameSync(unpacked, database)
    await flushFolder(database)
    return { folder, created_at, before }
  } finally {
    await rm(unpacked, { force: true })
    unlock()
  }
}

function areKnown(migrations: string[]): boolean {
  return migrations.every((name) => MIGRATION_NAMES.includes(name))
}

/** What was made to burst must not fill the disk. */
async function* upTo(size: number, content: AsyncIterable<Buffer>, file: string) {
  let bytes = 0
  for await (const part of content) {
    bytes += part.length
    if (bytes > size) break
    yield part
  }
  if (bytes !== size) throw isDamaged(file)
}

/** The old database stays in charge under its own name, and gets a second one under which it will be kept. */
function setAside(database: string): string | undefined {
  if (!existsSync(database)) return undefined
  const before = `${database}.before-restore`
  for (const part of ['', ...LOGS]) rmSync(before + part, { force: true })
  if (foldLog(database) === 'damaged') {
    // The new database must never read the log of the old one.
    for (const part of LOGS)
      if (existsSync(database + part)) renameSync(database + part, before + part)
  }
  copyFileSync(database, before, constants.COPYFILE_FICLONE)
  return before
}

/** Writes what a crash left in the log to the database that it belongs to. */
function foldLog(database: string): 'whole' | 'damaged' {
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
    throw new AppError('conflict', `Another program is using ${database}. End it and try again.`)
  }
  return 'whole'
}
