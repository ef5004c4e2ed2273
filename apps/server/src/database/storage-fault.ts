import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../errors.ts'

/** What can be wrong with a disk, with what stands on it, or with the way to it. */
export type StorageFault =
  | 'full'
  | 'read-only'
  | 'damaged'
  | 'busy'
  | 'overloaded'
  | 'failing'
  | 'too many files'

// SQLite's primary result codes.
const SQLITE: Record<number, StorageFault> = {
  5: 'busy',
  8: 'read-only',
  10: 'failing',
  11: 'damaged',
  13: 'full',
  14: 'failing',
  26: 'damaged',
}
// PostgreSQL's: a full disk, too little memory, a failing disk, a statement or a lock that took too long.
const POSTGRES: Record<string, StorageFault> = {
  '53100': 'full',
  '53200': 'overloaded',
  '58030': 'failing',
  '57014': 'overloaded',
  '55P03': 'overloaded',
}
const SYSTEM: Record<string, StorageFault> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'read-only',
  EIO: 'failing',
  EMFILE: 'too many files',
  ENFILE: 'too many files',
}

/** Undefined when an error has nothing to do with where things are stored. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined
  const { errcode, code } = error as Error & { errcode?: number; code?: string }
  // What loads a module or a library tells the system's reason only in its sentence, under a code of its own.
  if (/too many open files/i.test(error.message)) return 'too many files'
  if (errcode !== undefined) return SQLITE[errcode & 0xff]
  // A thread that could not be started tells the system's own code only in its sentence.
  const known = code === 'ERR_WORKER_INIT_FAILED' ? /\bE[A-Z]+$/.exec(error.message)?.[0] : code
  return SYSTEM[known ?? ''] ?? POSTGRES[known ?? '']
}

/** What a request is answered that failed because of it; undefined when something else was the reason. */
export function storageFailure(cause: unknown): AppError | undefined {
  const fault = storageFaultOf(cause)
  if (fault === undefined) return undefined
  const headers = { 'retry-after': '60' }
  return new AppError(codeOf(fault), apologiseFor(fault), {
    cause,
    headers,
    ...(codeOf(fault) === 'storage_failed' && { params: { fault } }),
  })
}

/** Whether it is over in a moment, or somebody has to see to it. */
function codeOf(fault: StorageFault): ErrorCode {
  if (fault === 'full') return 'disk_full'
  const isPassing = fault === 'busy' || fault === 'overloaded' || fault === 'too many files'
  return isPassing ? 'unavailable' : 'storage_failed'
}

/** The sentence for whoever runs the server. */
export function adviseOn(fault: StorageFault): string {
  switch (fault) {
    case 'full':
      return 'There is no room left on the disk. Make some and try again: nothing that was acknowledged is lost.'
    case 'read-only':
      return 'Nothing can be written: the disk is read-only. Change that, or give another folder with DATA_DIR.'
    case 'damaged':
      return 'The database is damaged. Keep a copy of the data folder, then "docent restore FILE --force" puts the last good backup in its place.'
    case 'busy':
      return 'Another program keeps the database locked. End it and try again.'
    case 'overloaded':
      return 'The database server takes too long or has too little memory. See what its log says about it.'
    case 'failing':
      return 'The disk can’t be read or written. See what the log of the system says about it.'
    case 'too many files':
      return 'No more files can be opened. Let the server have more (LimitNOFILE of systemd, ulimit -n) and start it again.'
  }
}

/** The sentence for whoever sent a request. */
export function apologiseFor(fault: StorageFault): string {
  switch (fault) {
    case 'full':
      return 'Nothing can be stored: the disk of the server is full.'
    case 'read-only':
      return 'Nothing can be stored: the disk of the server is read-only.'
    case 'damaged':
      return 'This can’t be read: the database of the server is damaged.'
    case 'busy':
    case 'overloaded':
      return 'The database is busy. Try again in a moment.'
    case 'failing':
      return 'The disk of the server fails.'
    case 'too many files':
      return 'The server has too many files and connections open. Try again later.'
  }
}
