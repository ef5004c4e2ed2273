import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { newId } from '../database/rows/ids.ts'
import { AppError } from '../errors.ts'

// What is only there while a file is being made may be a copy of the whole database. It goes when the work is done, when it
// fails and when somebody stops it. After a kill the next one to the same place finds it.

const begun = new Set<string>()
const LEFTOVER = /\.[\da-f]{32}\.(?:copy|partial)(?:-journal|-wal|-shm)?$/
const OF_SQLITE = ['-journal', '-wal', '-shm']
// Another backup may be at work on them right now. It writes to one of them all the time, but for a check in between.
const LONG_AGO_MS = 3_600_000

/** A name in the same folder that nothing else has, for what is not to outlast this process. */
export function beginBeside(file: string, what: 'copy' | 'partial'): string {
  const folder = dirname(resolve(file))
  if (!existsSync(folder))
    throw new AppError('not_found', `There is no folder ${folder} to write it to.`)
  removeLeftovers(resolve(file))
  return begin(`${file}.${newId()}.${what}`)
}

/** A file or folder that `removeBegun` is to remove if it is there by then. */
export function begin(path: string): string {
  begun.add(path)
  return path
}

/** For whoever is stopped half way. */
export function removeBegun(): void {
  for (const path of begun) {
    for (const part of ['', ...OF_SQLITE]) rmSync(path + part, { recursive: true, force: true })
  }
}

/** What backups and exports that were killed have left in a folder. */
export function findLeftovers(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => LEFTOVER.test(name))
      .map((name) => join(folder, name))
      .filter((file) => isOld(file))
  } catch {
    // A folder may take files from somebody who can't list them.
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
      // It is somebody else's.
    }
  }
}

export function adviseOnLeftovers(files: string[]): string | undefined {
  if (files.length === 0) return undefined
  return `Left by a backup or an export that was killed, to be deleted: ${files.join(', ')}`
}
