/** What each code means over HTTP. */
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  host_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  session_full: 409,
  quota_reached: 409,
  too_large: 413,
  unsupported_type: 415,
  invalid: 422,
  rate_limited: 429,
  too_many_lists: 429,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
  took_too_long: 504,
} as const

export type ErrorCode = keyof typeof STATUS

/** Each limit that can refuse a request. `/metrics` counts refusals by these names, and the error body carries them. */
export type LimitName =
  | 'model_answers'
  | 'built_in_answers'
  | 'complete_lists'
  | 'analytics'
  | 'uploads'
  | 'stalled_body'
  | 'unfinished_bodies'
  | 'session_size'
  | 'visitor_reads'
  | 'owner_rows'
  | 'owner_bytes'
  | 'token_budget'

export interface AppErrorOptions extends ErrorOptions {
  /** More to say than a sentence, for a program to read. */
  details?: unknown
  /** The limit that refuses the request. It is added to `details`. */
  limit?: LimitName
  headers?: Record<string, string>
}

/** A failure that the caller can act on. Everything else is a bug and answers 500. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: unknown
  readonly limit: LimitName | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options)
    this.name = 'AppError'
    this.code = code
    this.status = STATUS[code]
    this.limit = options.limit
    this.details = options.details ?? (options.limit && { limit: options.limit })
    this.headers = options.headers ?? {}
  }
}

/** What is wrong with one field of a request. */
export interface WrongField {
  /** The part of the request, and the way to the field in it. */
  loc: (string | number | undefined)[]
  msg: string
  type: string
}

export function invalid(details: WrongField[], options: ErrorOptions = {}): AppError {
  const fields = details.map(({ loc, msg }) => `${loc.slice(1).join('.') || 'the body'}: ${msg}`)
  return new AppError('invalid', `Not valid: ${fields.join('; ')}`, { ...options, details })
}

/** For a promise's `catch`: what is not there is undefined, and any other failure stays one. */
export function ifNotFound(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'not_found') return undefined
  throw error
}

/** Unknown and somebody else's, in the same words, so that ids cannot be probed. */
export function notFound(noun: string): AppError {
  return new AppError('not_found', `There is no such ${noun}.`)
}
