import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import { DatabaseError } from 'pg'
import { AppError } from '../../errors.ts'

/** Error code for an unmet unit condition. `require_row` in the schema raises it. */
export const UNMET = 'DC001'

// Serialization failure and deadlock: the server rolled back this writer.
const CONFLICTS = new Set(['40001', '40P01'])
// The server is starting, stopping, out of connections or read-only: nothing was changed.
const AWAY = new Set(['57P01', '57P02', '57P03', '53300', '25006'])
// Error class. Servers rarely send it, poolers do.
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

/** Prepared statements are gone, or no longer fit because another node changed the schema. */
export function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false
  return error.message === CHANGED_PLAN || error.code === NO_SUCH_STATEMENT
}

/** The connection is unusable. A pooler reports only with the first statement that it could not reach the server. */
export function isConnectionLost(error: unknown): boolean {
  return isAway(error) || (error instanceof DatabaseError && error.severity === 'FATAL')
}

/** The server is unreachable now and may return in a moment. */
export function isAway(error: unknown): boolean {
  if (error instanceof DatabaseError)
    return AWAY.has(error.code ?? '') || error.code?.startsWith(CONNECTION_EXCEPTIONS) === true
  const { code, message } = error as NodeJS.ErrnoException
  return LOST.has(code ?? '') || LOST_MESSAGE.test(message)
}

/** The response while the database is unreachable. */
export function unavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'The database cannot be reached. Try again in a moment.', {
    cause,
    headers: { 'retry-after': '2' },
  })
}

// A full disk on the database machine counts as unreachable, too.
const AWAY_CODES: ErrorCode[] = ['unavailable', 'disk_full', 'storage_failed']

/** True if the database was unreachable, so repeatable work deserves a retry. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && AWAY_CODES.includes(error.code)
}

const WAIT_MS = 250
const MOST_PATIENCE_MS = 60_000
/** Service managers kill a stopping server after about 30 seconds. */
const PATIENCE_AT_THE_END_MS = 3_000

/** Retries repeatable work while the database is unreachable. */
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
