import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../errors.ts'

/** Failures of the disk, the database file or the database server. */
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
// PostgreSQL: disk full, out of memory, I/O error, statement timeout, lock timeout.
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

/** Undefined if the error has nothing to do with storage. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined
  const { errcode, code } = error as Error & { errcode?: number; code?: string }
  // Module and library loaders report the system's reason only in the message, under their own code.
  if (/too many open files/i.test(error.message)) return 'too many files'
  if (errcode !== undefined) return SQLITE[errcode & 0xff]
  // Worker start failures report the system's code only in the message.
  const known = code === 'ERR_WORKER_INIT_FAILED' ? /\bE[A-Z]+$/.exec(error.message)?.[0] : code
  return SYSTEM[known ?? ''] ?? POSTGRES[known ?? '']
}

/** The response for a request that failed because of storage. Undefined for other errors. */
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

/** Separates faults that pass in a moment from those that an operator must fix. */
function codeOf(fault: StorageFault): ErrorCode {
  if (fault === 'full') return 'disk_full'
  const isPassing = fault === 'busy' || fault === 'overloaded' || fault === 'too many files'
  return isPassing ? 'unavailable' : 'storage_failed'
}

/** The message for the operator. */
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

/** The message for the client. */
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
