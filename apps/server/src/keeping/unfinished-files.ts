import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { newId } from '../database/rows/ids.ts'
import { AppError } from '../errors.ts'

// Temporary files may contain a copy of the whole database. They are removed on success, on failure and on a signal.
// After a kill, the next command for the same file removes them.

const begun = new Set<string>()
const LEFTOVER = /\.[\da-f]{32}\.(?:copy|partial)(?:-journal|-wal|-shm)?$/
const OF_SQLITE = ['-journal', '-wal', '-shm']
// Another running backup may own them. It writes at least this often, even during its check.
const LONG_AGO_MS = 3_600_000

/** Rejects the name of a file that is there, unless the user wants to replace it. */
export function refuseExisting(file: string): void {
  if (!existsSync(file)) return
  throw new AppError('conflict', `${file} already exists. Give another name, or use --force.`)
}

/** Returns a unique temporary name in the same folder. */
export function createTemporaryName(file: string, what: 'copy' | 'partial'): string {
  const folder = dirname(resolve(file))
  if (!existsSync(folder))
    throw new AppError('not_found', `The folder ${folder} does not exist. Create it first.`)
  removeLeftovers(resolve(file))
  return begin(`${file}.${newId()}.${what}`)
}

/** Registers a path that `removeTemporaryFiles` deletes if it exists. */
export function begin(path: string): string {
  begun.add(path)
  return path
}

/** Called when a signal stops the process. */
export function removeTemporaryFiles(): void {
  for (const path of begun) {
    for (const part of ['', ...OF_SQLITE]) rmSync(path + part, { recursive: true, force: true })
  }
}

/** Lists temporary files of killed backups and exports. */
export function findLeftovers(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => LEFTOVER.test(name))
      .map((name) => join(folder, name))
      .filter((file) => isOld(file))
  } catch {
    // A folder may be writable but not readable for this user.
    return []
  }
}

function isOld(file: string): boolean {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return written !== undefined && written < Date.now() - LONG_AGO_MS
}

function removeLeftovers(file: string): void {
  for (const leftover of findLeftovers(dirname(file))) {
    if (basename(leftover).replace(LEFTOVER, '') !== basename(file)) continue
    try {
      rmSync(leftover)
    } catch {
      // The file belongs to another user.
    }
  }
}

export function adviseOnLeftovers(files: string[]): string | undefined {
  if (files.length === 0) return undefined
  return `An interrupted backup or export has left these files. Delete them: ${files.join(', ')}`
}
