import { ErrorBody } from '@docent/contract/failures/error-body.ts'
import { OpenAiError } from '@docent/contract/openai.ts'
import type { z } from 'zod'

const ERRORS: Record<number, string> = {
  400: 'The body could not be read.',
  401: 'No token, or one that is unknown, expired or revoked.',
  403: 'The token lacks a scope, or the server does not answer to this host name (PUBLIC_URL).',
  404: 'Unknown, or somebody else’s.',
  408: 'The body arrives too slowly.',
  409: 'It conflicts with what is there.',
  413: 'Too large.',
  415: 'Not a type that is understood.',
  422: 'Invalid fields, every one of them named.',
  429: 'A rate limit or budget is reached; see Retry-After.',
  502: 'The language model’s provider failed.',
  503: 'Overloaded or stopping; see Retry-After.',
  504: 'It took too long.',
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
