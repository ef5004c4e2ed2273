import { accessSync, constants, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storageFaultOf } from './storage-fault.ts'

/**
 * Keeps a second server off the same data folder: each would take the other's running answers for those of a crash.
 * SQLite's own file lock does it, which the system lets go of however the process ends.
 */
export function lockDataFolder(folder: string): () => void {
  refuseUnusable(lockFiles(folder))
  const lock = new DatabaseSync(lockFile(folder))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const fault = storageFaultOf(cause)
    // There is nothing in it that could be lost, and whoever holds one holds one that is whole.
    if (fault === 'damaged') {
      for (const file of lockFiles(folder)) rmSync(file, { force: true })
      return lockDataFolder(folder)
    }
    if (fault !== 'busy') throw cause
    throw new Error(
      `Another Docent server is using the data folder ${folder}. Stop it, or give this one another DATA_DIR.`,
      { cause },
    )
  }
  // A restore holds the lock while it unpacks: this one was killed.
  rmSync(restoringFile(folder), { force: true })
  return () => lock.close()
}

/**
 * Keeps everybody off the folder, commands too: for whoever puts another database in the place of this one, or the last of it
 * somewhere else. What a command wrote meanwhile would be lost.
 */
export function claimDataFolder(folder: string): () => void {
  const unlock = lockDataFolder(folder)
  const file = commandsLock(folder)
  try {
    refuseUnusable([file])
    const lock = openLock(
      file,
      'BEGIN EXCLUSIVE',
      `Another docent command is using the data folder ${folder}. Wait until it has ended.`,
    )
    return () => {
      lock.close()
      unlock()
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** For a command, which works beside the server and beside other commands. */
export function shareDataFolder(folder: string): () => void {
  const lock = openLock(
    commandsLock(folder),
    'BEGIN; SELECT count(*) FROM sqlite_master',
    `The data folder ${folder} is just being restored or moved. Wait until that has ended.`,
  )
  return () => lock.close()
}

function openLock(file: string, statement: string, whenBusy: string): DatabaseSync {
  const lock = new DatabaseSync(file)
  try {
    lock.exec(statement)
    return lock
  } catch (cause) {
    lock.close()
    throw storageFaultOf(cause) === 'busy' ? new Error(whenBusy, { cause }) : cause
  }
}

/** Nothing is ever written to it. */
function commandsLock(folder: string): string {
  return `${lockFile(folder)}.commands`
}

function lockFile(folder: string): string {
  return join(folder, 'server.lock')
}

/** With what SQLite leaves beside it when the process is killed. */
function lockFiles(folder: string): string[] {
  return [lockFile(folder), `${lockFile(folder)}-journal`]
}

export function databaseFile(folder: string): string {
  return join(folder, 'docent.db')
}

/** What a restore unpacks, until it is whole. */
export function restoringFile(folder: string): string {
  return `${databaseFile(folder)}.restoring`
}

/** Where uploads are until they have arrived whole. */
export function uploadsFolder(folder: string): string {
  return join(folder, 'uploads')
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
  } catch (cause) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
    const reason = isFile ? 'is no folder' : 'can’t be written by this user'
    throw new Error(`The data folder ${folder} ${reason}. Give another one with DATA_DIR.`, {
      cause,
    })
  }
  refuseUnusable(databaseFiles(folder))
}

function databaseFiles(folder: string): string[] {
  return ['', '-wal', '-shm'].map((part) => databaseFile(folder) + part)
}

/** Whoever only reads it needs no more. */
export function refuseUnreadable(folder: string): void {
  refuseUnusable(databaseFiles(folder), constants.R_OK)
}

/** What keeps this user from running a server on a folder that may itself be used. */
export function findUnusableFile(folder: string): string | undefined {
  return findUnusable([...databaseFiles(folder), ...lockFiles(folder)], READ_AND_WRITE)
}

const READ_AND_WRITE = constants.R_OK | constants.W_OK

/** Of one that somebody else has made SQLite only says that it can't be opened, as of one on a failing disk. */
function refuseUnusable(files: string[], mode = READ_AND_WRITE): void {
  const reason = findUnusable(files, mode)
  if (reason !== undefined) throw new Error(reason)
}

function findUnusable(files: string[], mode: number): string | undefined {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isFile() === false)
      return `${file} is no file. Move it away, or give another folder with DATA_DIR.`
    if (found && !mayUse(file, mode)) {
      const what = mode === READ_AND_WRITE ? 'read and written' : 'read'
      return `${file} can’t be ${what} by this user. Change whose it is (chown), or call this as the user that it belongs to.`
    }
  }
  return undefined
}

function mayUse(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}
