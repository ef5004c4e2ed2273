import { ErrorBody } from '@docent/contract/failures/error-body.ts'
import { OpenAiError } from '@docent/contract/openai.ts'
import type { z } from 'zod'

const ERRORS: Record<number, string> = {
  400: 'The body could not be read.',
  401: 'The token is missing, unknown, expired or revoked.',
  403: 'The token lacks a scope, or PUBLIC_URL does not include this host name.',
  404: 'The record does not exist, or another user owns it.',
  408: 'The body arrives too slowly.',
  409: 'The request conflicts with the current state.',
  413: 'The request is too large.',
  415: 'The content type is not supported.',
  422: 'Some fields are invalid. The response names all of them.',
  429: 'A rate limit or budget is reached. See the Retry-After header.',
  502: 'The provider of the language model failed.',
  503: 'The server is overloaded or stopping. See the Retry-After header.',
  504: 'The request took too long.',
}

/** Describes the errors of a route, and adds those that every route can return. */
export function errors(...statuses: number[]) {
  return errorsAs(ErrorBody, statuses)
}

/** Takes the schema of an error, as each API has its own. */
function errorsAs(schema: z.ZodType, statuses: number[]) {
  // A body that can be too large can also arrive too slowly.
  const ofBody = statuses.includes(413) ? [408] : []
  const all = [...new Set([401, 403, ...ofBody, ...statuses, 429, 503])].sort()
  return Object.fromEntries(
    all.map((status) => [
      status,
      { description: ERRORS[status], content: { 'application/json': { schema } } },
    ]),
  )
}

/** Describes the errors of a route in OpenAI's format. */
export function openAiErrors(...statuses: number[]) {
  return errorsAs(OpenAiError, statuses)
}
