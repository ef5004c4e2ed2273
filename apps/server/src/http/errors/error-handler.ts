import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import type {
  ConnectionError,
  FastifyBaseLogger,
  FastifyError,
  FastifyReply,
  FastifyRequest,
} from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { storageFailure, storageFaultOf } from '../../database/storage-fault.ts'
import { AppError, invalid } from '../../errors.ts'
import { ReplacedCode } from '../../runtime/replaced-code.ts'
import type { Services } from '../../services.ts'
import { problemOf } from './field-problems.ts'

export interface PublicError {
  error: string
  code: string
  request_id: string
  /** Values that the code alone does not tell. */
  params?: Record<string, string | number>
  details?: unknown
}

// Fastify's own errors, in our words.
const FRAMEWORK: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'bad_request',
    'The length of the body differs from its Content-Length header.',
  ],
  FST_ERR_BAD_URL: ['not_found', 'This address does not exist.'],
}

// Errors that Node reports before there is a request.
type Refusal = [status: number, code: string, message: string]
const NOT_HTTP: Refusal = [400, 'bad_request', 'This is not a valid HTTP request.']
const UNREADABLE: Record<string, Refusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'timeout', 'The request arrived too slowly.'],
  HPE_HEADER_OVERFLOW: [431, 'too_large', 'The headers are too large.'],
}

/** More than the fields of any form. */
const MOST_DETAILS = 100

export function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ReplacedCode) {
    return new AppError('unavailable', `${error.message}.`, { cause: error })
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const details = error.validation.slice(0, MOST_DETAILS).map((issue) => ({
      loc: [error.validationContext, ...pathOf(issue.instancePath)],
      msg: issue.message ?? '',
      ...problemOf({ code: issue.keyword, ...issue.params }),
    }))
    return invalid(details, { cause: error })
  }
  const { code, statusCode } = error as FastifyError
  const known = FRAMEWORK[code]
  if (known) return new AppError(known[0], known[1], { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('bad_request', 'The request is not valid.', { cause: error })
  }
  const sentence = 'Something went wrong on the server. See its log for details.'
  return storageFailure(error) ?? new AppError('internal', sentence, { cause: error })
}

/** Positions in a list are numbers, as in all other errors. */
function pathOf(instancePath: string): (string | number)[] {
  const steps = instancePath.split('/').filter((step) => step !== '')
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** Only the owner may know which provider failed and why. */
export const ANSWER_FAILED = 'The chatbot could not answer. Try again later.'

/** Replaces messages that concern only the owner. */
const FOR_VISITORS: Partial<Record<ErrorCode, string>> = {
  model_failed: ANSWER_FAILED,
  quota_reached: 'This chatbot cannot take more messages now. Try again later.',
}

function sayTo(request: FastifyRequest, { code, message, params }: AppError) {
  const isVisitor = request.routeOptions.url?.includes('/public/') === true
  const instead = isVisitor ? FOR_VISITORS[code] : undefined
  return instead === undefined
    ? { error: message, code, ...(params && { params }) }
    : { error: instead, code }
}

/** The public part of a failure: a message, a code, and the request id that finds the rest in the log. */
export function toPublicError(
  error: unknown,
  request: FastifyRequest,
): PublicError & { status: number } {
  const known = asAppError(error)
  return {
    status: known.status,
    ...sayTo(request, known),
    request_id: request.id,
    ...(known.details !== undefined && { details: known.details }),
  }
}

/** Logs only failures that the server's operator must act on. */
export function logFailure(
  log: FastifyBaseLogger,
  request: FastifyRequest,
  error: unknown,
  { status, cause } = asAppError(error),
): void {
  if (status === 500 || storageFaultOf(cause) || cause instanceof ReplacedCode)
    log.error({ reqId: request.id, err: error }, 'request failed')
}

export function answerErrors({ log, metrics }: Pick<Services, 'log' | 'metrics'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = asAppError(error)
    logFailure(log, request, error, known)
    if (known.limit) metrics.requestRefused(known.limit)
    const { status, ...body } = toPublicError(known, request)
    return reply
      .code(status)
      .headers(known.headers)
      .type('application/json; charset=utf-8')
      .send(body)
  }
}

/** The server supports no expectation except `Expect: 100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const error = 'The Expect header must be 100-continue.'
  const body = { error, code: 'expectation_failed', request_id: randomUUID() }
  response.writeHead(417, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** An unreadable request has no reply object, so this writes to the socket and closes the connection. */
export function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, code, message] = UNREADABLE[error.code] ?? NOT_HTTP
  const body = JSON.stringify({ error: message, code, request_id: randomUUID() })
  const head = [
    `HTTP/1.1 ${status} ${message.replace(/\.$/, '')}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}
