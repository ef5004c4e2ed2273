import { accessSync, constants, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { storageFaultOf } from './storage-fault.ts'

/**
 * Prevents two servers on one data folder: each would treat the other's running answers as left by a crash. The lock is
 * SQLite's file lock, which the system releases even if the process is killed.
 */
export function lockDataFolder(folder: string): () => void {
  refuseUnusable(lockFiles(folder))
  const lock = new DatabaseSync(lockFile(folder))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const fault = storageFaultOf(cause)
    // The lock file holds no data. A server that holds the lock has an intact file.
    if (fault === 'damaged') {
      for (const file of lockFiles(folder)) rmSync(file, { force: true })
      return lockDataFolder(folder)
    }
    if (fault !== 'busy') throw cause
    throw new Error(
      `Another Docent server is using the data folder ${folder}. Stop it, or set another DATA_DIR.`,
      { cause },
    )
  }
  // A restore holds this lock while it unpacks, so a leftover file comes from a killed restore.
  rmSync(restoringFile(folder), { force: true })
  return () => lock.close()
}

/**
 * Locks out the server and all commands. Restore and the last step of a move replace the database, and would lose
 * anything written meanwhile.
 */
export function claimDataFolder(folder: string): () => void {
  const unlock = lockDataFolder(folder)
  const file = commandsLock(folder)
  try {
    refuseUnusable([file])
    const lock = openLock(
      file,
      'BEGIN EXCLUSIVE',
      `Another docent command is using the data folder ${folder}. Wait until it ends.`,
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

/** A shared lock for commands, which may run beside the server and other commands. */
export function shareDataFolder(folder: string): () => void {
  const lock = openLock(
    commandsLock(folder),
    'BEGIN; SELECT count(*) FROM sqlite_master',
    `The data folder ${folder} is being restored or moved. Wait until that ends.`,
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

/** This file only carries locks and stays empty. */
function commandsLock(folder: string): string {
  return `${lockFile(folder)}.commands`
}

function lockFile(folder: string): string {
  return join(folder, 'server.lock')
}

/** Includes the journal that SQLite leaves when the process is killed. */
function lockFiles(folder: string): string[] {
  return [lockFile(folder), `${lockFile(folder)}-journal`]
}

export function databaseFile(folder: string): string {
  return join(folder, 'docent.db')
}

/** A restore unpacks here and renames the file when it is complete. */
export function restoringFile(folder: string): string {
  return `${databaseFile(folder)}.restoring`
}

/** Incomplete uploads. */
export function uploadsFolder(folder: string): string {
  return join(folder, 'uploads')
}

/** Temporary files of converters such as LibreOffice. */
export function programsFolder(folder: string): string {
  return join(folder, 'conversions')
}

/** Creates the folder with mode 0700, or explains why it can't be used. */
export function openDataFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const isFile = ['EEXIST', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')
    const reason = isFile ? 'is not a folder' : 'is not writable for this user'
    throw new Error(`The data folder ${folder} ${reason}. Set DATA_DIR to another one.`, {
      cause,
    })
  }
  refuseUnusable(databaseFiles(folder))
}

function databaseFiles(folder: string): string[] {
  return ['', '-wal', '-shm'].map((part) => databaseFile(folder) + part)
}

/** Readers only need read permission. */
export function refuseUnreadable(folder: string): void {
  refuseUnusable(databaseFiles(folder), constants.R_OK)
}

/** Explains which file prevents this user from starting a server, even if the folder itself is accessible. */
export function findUnusableFile(folder: string): string | undefined {
  return findUnusable([...databaseFiles(folder), ...lockFiles(folder)], READ_AND_WRITE)
}

const READ_AND_WRITE = constants.R_OK | constants.W_OK

/**
 * SQLite reports missing permissions with the same "unable to open" as a failing disk, so permissions are checked
 * first.
 */
function refuseUnusable(files: string[], mode = READ_AND_WRITE): void {
  const reason = findUnusable(files, mode)
  if (reason !== undefined) throw new Error(reason)
}

function findUnusable(files: string[], mode: number): string | undefined {
  for (const file of files) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found?.isFile() === false)
      return `${file} is not a file. Move it away, or set DATA_DIR to another folder.`
    if (found && !mayUse(file, mode)) {
      const what = mode === READ_AND_WRITE ? 'read and written' : 'read'
      return `${file} cannot be ${what} by this user. Change its owner (chown), or run this as its owner.`
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
