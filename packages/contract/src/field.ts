import { z } from 'zod'
import { saying } from './failures/field-problem.ts'

/** Text with its length in characters as people count them. Rejects characters that a database cannot store. */
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

const DASHED = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Accepts the dashed form. Other input stays as it is and is not found. */
export function normalizeId(given: string): string {
  return DASHED.test(given) ? given.replaceAll('-', '') : given
}

function isId(given: string): boolean {
  return /^[\da-f]{32}$/.test(given)
}

export const exampleId = '019a8f3c5b7e7c41a2d3e4f5a6b7c8d9'

/** Accepts any string, with or without dashes. A string that is not an ID is not found. */
const Uuid = z
  .string()
  .transform(normalizeId)
  .meta({ description: '32 lower-case hex digits', example: exampleId })

export const UuidParams = z.object({ uuid: Uuid })

export const UuidOut = z.string().meta({ pattern: '^[0-9a-f]{32}$', example: exampleId })
export const TimestampOut = z
  .string()
  .meta({ format: 'date-time', example: '2026-11-15T01:12:03Z' })

/** A number in a query string. */
export const numberUpTo = (max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= max, `must be from 1 to ${max}`)
    .default(fallback)

export const UuidList = z.object({
  uuids: z
    .array(z.string())
    .min(1)
    .refine((uuids) => new Set(uuids).size <= 1000, 'must have at most 1,000 different UUIDs')
    .meta({ example: [exampleId], maxItems: 1000 }),
})

/** The most rows that a list may have. */
export const limitUpTo = (max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= 1 && n <= max, `must be from 1 to ${max.toLocaleString('en')}`)
    .optional()

/** Where a page of a list begins or ends. */
export const UuidOfList = z
  .string()
  .transform(normalizeId)
  .refine(isId, 'must be a UUID of the list')
  .optional()

export const PageQuery = z.object({
  limit: limitUpTo(1_000).meta({
    description: 'The maximum number of entries. Without it, the list is complete.',
    example: '100',
  }),
  after: UuidOfList.meta({ description: 'Only entries after this UUID.', example: exampleId }),
})

export const Success = z.object({ success: z.literal(true) }).meta({ id: 'Success' })
export type Success = z.infer<typeof Success>
