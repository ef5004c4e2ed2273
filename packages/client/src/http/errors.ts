/** The base class of all errors of this client. Aborts are an exception: they throw the signal's reason. */
export class DocentError extends Error {
  override readonly name: string = 'DocentError'
}

/** No response: the server is unreachable or the connection broke. `cause` has the platform's reason. */
export class ConnectionError extends DocentError {
  override readonly name: string = 'ConnectionError'
}

/** The request took longer than `timeout`. The server may still have processed it. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The connection broke in the middle of a response. */
export function cutOff(): ConnectionError {
  return new ConnectionError('The answer was cut off.')
}

/** The response is not from this API. Usually the address belongs to another service. */
export class UnexpectedAnswerError extends DocentError {
  override readonly name = 'UnexpectedAnswerError'
}

/** A source ended without becoming searchable. */
export class SourceFailedError extends DocentError {
  override readonly name = 'SourceFailedError'
  readonly uuid: string
  /** For example `error:no text`. */
  readonly status: string
  /** The reason, for example `no_such_page`. Empty if the server did not send it. */
  readonly code: string
  /** Values that complete the code. */
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
  /** How long to wait, if the server sent it. */
  retryAfterMs?: number | undefined
  /** The message whose answer failed, if an answer had started. */
  messageUuid?: string | undefined
}

/**
 * The server rejected the request. The message comes from the server.
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
  /** For example `not_found`. */
  readonly code: string
  /** Find this ID in the server's log for details. */
  readonly requestId: string
  /** Values that complete the code, for example `{ megabytes: 50 }` for `file_too_large`. */
  readonly params: Record<string, unknown>
  /** More details. For invalid fields, it has an entry `{loc, msg, type}` per field. */
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

/** 400: the server could not read the body. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'
}

/** 401: the token is missing, unknown, expired or revoked. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError'
}

/** 403: the token lacks the scope. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 404: the record does not exist or belongs to another user. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: the request conflicts with the current state. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 413: the request is too large. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError'
}

/** 415: the server does not support this type. */
export class UnsupportedTypeError extends ApiError {
  override readonly name = 'UnsupportedTypeError'
}

/** 422: invalid fields. `details` lists all of them. */
export class InvalidError extends ApiError {
  override readonly name = 'InvalidError'
}

/** 429: a rate limit or a budget is reached. `retryAfterMs` has the time to wait. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the server failed. */
export class ServerError extends ApiError {
  override readonly name: string = 'ServerError'
}

/** 502: the language model failed. The server keeps the message and the part of its answer that arrived. */
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
  // A 502 without Docent's code comes from a proxy that cannot reach the server.
  const isModel = failure.status !== 502 || failure.code === 'model_failed'
  const known = isModel ? BY_STATUS[failure.status] : undefined
  return new (known ?? (failure.status >= 500 ? ServerError : ApiError))(failure)
}

/** An answer that fails after the headers were sent reports it in the stream, which has no status. */
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
