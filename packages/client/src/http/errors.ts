/** What all failures of this client have in common. An abort is not among them: it throws the reason of its signal. */
export class DocentError extends Error {
  override readonly name: string = 'DocentError'
}

/** No answer came: the server could not be reached, or the connection broke. `cause` has the platform's reason. */
export class ConnectionError extends DocentError {
  override readonly name: string = 'ConnectionError'
}

/** It took longer than `timeout`. Whether the server did it is not known. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The connection broke in the middle of an answer. */
export function cutOff(): ConnectionError {
  return new ConnectionError('The answer was cut off.')
}

/** What was answered is not what this interface answers with: usually the address is of something else. */
export class UnexpectedAnswerError extends DocentError {
  override readonly name = 'UnexpectedAnswerError'
}

/** A source came to an end without becoming searchable. */
export class SourceFailedError extends DocentError {
  override readonly name = 'SourceFailedError'
  readonly uuid: string
  /** Such as `error:no text`. */
  readonly status: string
  /** Why, such as `no_such_page`; empty when the server did not say. */
  readonly code: string
  /** What the code alone does not say. */
  readonly params: Record<string, unknown>

  constructor(
    message: string,
    uuid: string,
    status: string,
    code = '',
    params: Record<string, unknown> = {},
  ) {
    super(message)
    this.uuid = uuid
    this.status = status
    this.code = code
    this.params = params
  }
}

export interface Failure {
  status: number
  code: string
  message: string
  requestId: string
  params?: Record<string, unknown> | undefined
  details?: unknown
  /** How long to wait, as far as the server said so. */
  retryAfterMs?: number | undefined
  /** The message whose answer failed, where one had begun. */
  messageUuid?: string | undefined
}

/**
 * The server refused, in its own words.
 *
 * @example
 * ```ts
 * import { ApiError, NotFoundError } from '@docent/client'
 *
 * try {
 *   await client.chatbots.get('019a8f3c5b7e7c41a2d3e4f5a6b7c8d9')
 * } catch (error) {
 *   if (error instanceof NotFoundError) console.log('There is no such chatbot.')
 *   else if (error instanceof ApiError) console.log(error.status, error.code, error.requestId)
 *   else throw error
 * }
 * ```
 */
export class ApiError extends DocentError {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** Such as `not_found`. */
  readonly code: string
  /** Under which the server's log has more. */
  readonly requestId: string
  /** What the code alone does not say, such as `{ megabytes: 50 }` of `file_too_large`. */
  readonly params: Record<string, unknown>
  /** More to say than a sentence: for invalid fields one entry `{loc, msg, type}` for each. */
  readonly details: unknown
  readonly retryAfterMs: number | undefined
  readonly messageUuid: string | undefined

  constructor(failure: Failure) {
    super(failure.message)
    this.status = failure.status
    this.code = failure.code
    this.requestId = failure.requestId
    this.params = failure.params ?? {}
    this.details = failure.details
    this.retryAfterMs = failure.retryAfterMs
    this.messageUuid = failure.messageUuid
  }
}

/** 400: the body could not be read. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'
}

/** 401: no token, or one that is unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
}

/** 403: the token lacks the scope. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404: unknown, or somebody else's. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: it conflicts with what is there. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 413: too large. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError'
}

/** 415: not a type that the server understands. */
export class UnsupportedTypeError extends ApiError {
  override readonly name = 'UnsupportedTypeError'
}

/** 422: invalid fields; `details` names every one. */
export class InvalidError extends ApiError {
  override readonly name = 'InvalidError'
}

/** 429: a rate limit or a budget is reached; `retryAfterMs` says for how long. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the server's own failure. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** 502: the language model failed. The message is kept, with what there was of its answer. */
export class ModelFailedError extends ServerError {
  override readonly name = 'ModelFailedError'
}

/** 503: the server is overloaded or stopping. */
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

const BY_STATUS: Record<number, new (failure: Failure) => ApiError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  415: UnsupportedTypeError,
  422: InvalidError,
  429: RateLimitError,
  502: ModelFailedError,
  503: UnavailableError,
}

const STATUS_OF_CODE: Record<string, number> = {
  prompt_too_long: 413,
  model_failed: 502,
  unavailable: 503,
  disk_full: 503,
  storage_failed: 503,
}

export function toApiError(failure: Failure): ApiError {
  // A 502 without our code is a proxy's, whose server is away.
  const isModel = failure.status !== 502 || failure.code === 'model_failed'
  const known = isModel ? BY_STATUS[failure.status] : undefined
  return new (known ?? (failure.status >= 500 ? ServerError : ApiError))(failure)
}

/** An answer that failed after its headers had left says so in its stream, where there is no status. */
export function toAnswerError(
  event: {
    error: string
    code: string
    request_id: string
    params?: Record<string, string | number> | undefined
    details?: unknown
  },
  messageUuid: string | undefined,
): ApiError {
  return toApiError({
    status: STATUS_OF_CODE[event.code] ?? 500,
    code: event.code,
    message: event.error,
    requestId: event.request_id,
    params: event.params,
    details: event.details,
    messageUuid,
  })
}
