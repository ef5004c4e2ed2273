import { z } from 'zod'
import { numberUpTo, TimestampOut, UuidList, UuidOut } from './field.ts'

export const Settling = UuidList.extend({
  settled: z
    .boolean()
    .default(true)
    .meta({ description: 'False puts the questions back on the list.', example: true }),
})

export const DaysQuery = z.object({
  days: numberUpTo(366, 30).meta({ example: '30' }),
  utc_offset: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => Math.abs(n) <= 840, 'must be from -840 to 840')
    .default(0)
    .meta({
      description: 'The time zone in minutes ahead of UTC, a multiple of 15.',
      example: '60',
    }),
})

export const UnansweredQuestion = z
  .object({
    question: z.string().meta({ example: 'Do you rent out audio guides?' }),
    count: z.int().meta({ example: 4 }),
    last_asked_at: TimestampOut,
    session_uuid: UuidOut.meta({ description: 'The newest session with this question.' }),
    uuids: z.array(UuidOut).meta({ description: 'The messages with this question.' }),
  })
  .meta({ id: 'UnansweredQuestion' })
export type UnansweredQuestion = z.infer<typeof UnansweredQuestion>

const milliseconds = z.number().nullable().meta({ description: 'Milliseconds.', example: 12.5 })

export const DayOfUse = z
  .object({
    date: z.string().meta({
      format: 'date',
      description: 'In UTC, unless the request has another time zone.',
      example: '2026-11-15',
    }),
    messages: z.int().meta({ example: 40 }),
    answered: z.int().meta({ example: 36 }),
    sessions: z.int().meta({ example: 12 }),
    rated_up: z.int().meta({ example: 5 }),
    rated_down: z.int().meta({ example: 1 }),
    tokens: z.int().meta({ example: 18_000 }),
    first_text_p50: milliseconds,
    first_text_p95: milliseconds,
  })
  .meta({ id: 'DayOfUse' })
export type DayOfUse = z.infer<typeof DayOfUse>

export const Usage = z
  .object({
    month: z.string().meta({ description: 'In UTC.', example: '2026-11' }),
    messages: z
      .int()
      .meta({ description: 'The number of answers by language models.', example: 12 }),
    prompt_tokens: z.int().meta({ example: 9000 }),
    completion_tokens: z.int().meta({ example: 1500 }),
    total_tokens: z.int().meta({ example: 10_500 }),
    token_budget: z.int().nullable().meta({ description: 'Null: no limit.', example: 1_000_000 }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof Usage>

export const Budget = z.object({
  token_budget: z
    .int()
    .min(0)
    .max(1_000_000_000_000)
    .nullable()
    .meta({ description: 'Tokens per month, or null for no limit.', example: 1_000_000 }),
})
