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
  return new AppError(codeOf(fault), messageForClient(fault), {
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
      return 'The disk is full. Free some space and try again. No acknowledged data is lost.'
    case 'read-only':
      return 'The disk is read-only. Make it writable, or set DATA_DIR to another folder.'
    case 'damaged':
      return 'The database is damaged. Copy the data folder, then restore the last good backup with "docent restore FILE --force".'
    case 'busy':
      return 'Another program has locked the database. Stop it and try again.'
    case 'overloaded':
      return 'The database server is too slow or out of memory. Check its log.'
    case 'failing':
      return 'The disk cannot be read or written. Check the system log.'
    case 'too many files':
      return 'Too many files are open. Raise the limit (LimitNOFILE of systemd, ulimit -n) and restart the server.'
  }
}

/** The message for the client. */
export function messageForClient(fault: StorageFault): string {
  switch (fault) {
    case 'full':
      return 'The server’s disk is full, so nothing can be saved.'
    case 'read-only':
      return 'The server’s disk is read-only, so nothing can be saved.'
    case 'damaged':
      return 'The server’s database is damaged, so this cannot be read.'
    case 'busy':
    case 'overloaded':
      return 'The database is busy. Try again in a moment.'
    case 'failing':
      return 'The server’s disk has failed.'
    case 'too many files':
      return 'The server has too many files and connections open. Try again later.'
  }
}
