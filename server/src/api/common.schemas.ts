import { z } from 'zod'
import { saying } from '../field-problem.ts'
import { isId, normaliseId } from '../store/ids.ts'

/** Text in characters as people count them, trimmed where asked; refused if no database could hold it. */
export function text({
  min = 0,
  max,
  trim = false,
}: {
  min?: number
  max: number
  trim?: boolean
}) {
  const base = trim ? z.string().trim() : z.string()
  return base
    .refine((value) => characters(value) >= min, {
      error: min === 1 ? 'must not be empty' : `must have at least ${min} characters`,
      abort: true,
      params: saying(
        min === 1 ? { type: 'empty' } : { type: 'too_short', params: { minimum: min } },
      ),
    })
    .refine((value) => characters(value) <= max, {
      error: `must have at most ${max.toLocaleString('en')} characters`,
      params: saying({ type: 'too_long', params: { maximum: max } }),
    })
    .refine((value) => value.isWellFormed() && !value.includes('\0'), {
      error: 'must be valid Unicode without NUL characters',
      params: saying({ type: 'not_text' }),
    })
    .meta({ minLength: min, maxLength: max })
}

function characters(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}

export const exampleId = '019a8f3c5b7e7c41a2d3e4f5a6b7c8d9'

/** Any string: one that is no identifier is simply not found. The dashed form is accepted. */
export const Uuid = z
  .string()
  .transform(normaliseId)
  .meta({ description: '32 lower-case hex digits', example: exampleId })

export const UuidParams = z.object({ uuid: Uuid })

export const UuidOut = z.string().meta({ pattern: '^[0-9a-f]{32}$', example: exampleId })
export const TimestampOut = z
  .string()
  .meta({ format: 'date-time', example: '2026-11-15T01:12:03Z' })

export const UuidList = z.object({
  uuids: z
    .array(z.string())
    .min(1)
    .refine((uuids) => new Set(uuids).size <= 1000, 'must have at most 1,000 different uuids')
    .meta({ example: [exampleId], maxItems: 1000 }),
})

export const PageQuery = z.object({
  limit: z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= 1000, 'must be from 1 to 1,000')
    .optional()
    .meta({ description: 'At most so many; without it the list is complete.', example: '100' }),
  after: z
    .string()
    .transform(normaliseId)
    .refine(isId, 'must be a uuid of the list')
    .optional()
    .meta({ description: 'Only what comes after this uuid.', example: exampleId }),
})

export const Success = z.object({ success: z.literal(true) })

const ErrorBody = z
  .object({
    error: z.string().meta({ description: 'A sentence.', example: 'There is no such chatbot.' }),
    code: z.string().meta({ example: 'not_found' }),
    request_id: z.string().meta({ example: '3f0c6f5e-1a' }),
    params: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .meta({ description: 'What the code alone does not say.', example: { megabytes: 50 } }),
    details: z
      .union([z.array(z.unknown()), z.looseObject({ limit: z.string() })])
      .optional()
      .meta({ example: [{ loc: ['body', 'name'], msg: 'must not be empty', type: 'empty' }] }),
  })
  .meta({ id: 'Error' })

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

/** The failures that a route can answer with, beside those that every route has. */
export function errors(...statuses: number[]) {
  return errorsAs(ErrorBody, statuses)
}

/** The same, in the shape that the clients of another interface know. */
export function errorsAs(schema: z.ZodType, statuses: number[]) {
  // Where a body can be too large, it can come too slowly as well.
  const ofBody = statuses.includes(413) ? [408] : []
  const all = [...new Set([401, 403, ...ofBody, ...statuses, 429, 503])].sort()
  return Object.fromEntries(
    all.map((status) => [
      status,
      { description: ERRORS[status], content: { 'application/json': { schema } } },
    ]),
  )
}
