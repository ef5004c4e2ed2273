import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import { DatabaseError } from 'pg'
import { AppError } from '../../errors.ts'

/** What the server says when a unit's condition did not hold; see `require_row` in the schema. */
export const UNMET = 'DC001'

// Two writers stood in each other's way, and this one was sent back before it had changed anything.
const CONFLICTS = new Set(['40001', '40P01'])
// The server is starting, stopping, full, or has become one that only reads: nothing was changed.
const AWAY = new Set(['57P01', '57P02', '57P03', '53300', '25006'])
// A class of codes. The server hardly ever says one of them; what stands between, such as a pooler, does.
const CONNECTION_EXCEPTIONS = '08'
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const LOST_MESSAGE = new RegExp(
  `^(?:${[
    'Client has encountered a connection error',
    'Client was closed',
    'Connection terminated',
    'Query read timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ].join('|')})`,
)
const NO_SUCH_STATEMENT = '26000'
const CHANGED_PLAN = 'cached plan must not change result type'

export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseError && CONFLICTS.has(error.code ?? '')
}

/** After another node has changed the schema, a connection's prepared statements no longer fit; or they are gone. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.message === CHANGED_PLAN || error.code === NO_SUCH_STATEMENT
}

/** The connection is of no use any more. A pooler tells only now that it could not reach the server, and why. */
export function isConnectionLost(error: unknown): boolean {
  return isAway(error) || (error instanceof DatabaseError && error.severity === 'FATAL')
}

/** The server can't be reached now, and may be there in a moment. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseError)
    return AWAY.has(error.code ?? '') || error.code?.startsWith(CONNECTION_EXCEPTIONS) === true
  const { code, message } = error as NodeJS.ErrnoException
  return LOST.has(code ?? '') || LOST_MESSAGE.test(message)
}

/** What a caller is told while the database is away: to come again. */
export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database can’t be reached. Try again in a moment.', {
    cause,
    headers: { 'retry-after': '2' },
  })
}

// A full disk of the database's machine is one that is away, too.
const AWAY_CODES: ErrorCode[] = ['unavailable', 'disk_full', 'storage_failed']

/** Whether the database was away, so that what may be done twice is worth another try. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && AWAY_CODES.includes(error.code)
}

const WAIT_MS = 250
const MOST_PATIENCE_MS = 60_000
/** Whoever stops a server ends it by force after half a minute. */
const PATIENCE_AT_THE_END_MS = 3_000

/** For what may be done twice, and must not be given up because the database is away for a while. */
export async function untilAvailable<T>(
  work: () => Promise<T>,
  stopping?: AbortSignal,
): Promise<T> {
  const started = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const patience = stopping?.aborted ? PATIENCE_AT_THE_END_MS : MOST_PATIENCE_MS
      if (!isUnavailable(error) || performance.now() - started > patience) throw error
      await sleep(WAIT_MS)
    }
  }
}
