import {
  type ErrorCode,
  type ErrorParams,
  type LimitName,
  STATUS,
} from '@docent/contract/failures/error-codes.ts'

export interface AppErrorOptions extends ErrorOptions {
  /** Values that the code alone does not tell. */
  params?: ErrorParams | undefined
  /** Machine-readable details. */
  details?: unknown
  /** The limit that rejects the request. It is added to `details`. */
  limit?: LimitName
  headers?: Record<string, string>
}

/** A failure that the caller can act on. Everything else is a bug and answers 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly params: ErrorParams | undefined
  readonly details: unknown
  readonly limit: LimitName | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    this.status = STATUS[code]
    this.limit = options.limit
    this.params = options.params
    this.details = options.details ?? (options.limit && { limit: options.limit })
    this.headers = options.headers ?? {}
  }
}

/** A problem with one field of a request. */
export interface WrongField {
  /** The part of the request and the path of the field in it. */
  loc: (string | number | undefined)[]
  msg: string
  /** A machine-readable reason. */
  type: string
  params?: Record<string, unknown>
}

export function invalid(details: WrongField[], options: ErrorOptions = {}): AppError {
  const fields = details.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'the body'}: ${msg}`)
  return new AppError('invalid', `Invalid input: ${fields.join('; ')}`, { ...options, details })
}

/** For a promise's `catch`: turns `not_found` into undefined and rethrows everything else. */
export function ifNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}

/** Unknown records and other owners' records get the same message, so that ids cannot be probed. */
export function notFound(noun: string): AppError {
  return new AppError('not_found', `There is no such ${noun}.`)
}
