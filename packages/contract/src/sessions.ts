import { z } from 'zod'
import { LastMoment, Moment } from './date-input.ts'
import { PageQuery, TimestampOut, UuidOut } from './field.ts'

export const NewSession = z
  .object({ uuid: UuidOut, created_at: TimestampOut, modified_at: TimestampOut })
  .meta({ id: 'NewSession' })
export type NewSession = z.infer<typeof NewSession>

export const Session = z
  .object({
    ...NewSession.shape,
    meta: z.record(z.string(), z.unknown()).meta({ example: {} }),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

export const SessionsQuery = PageQuery.extend({
  start_timestamp: Moment.optional().meta({ example: '2026-11-15T00:00:00Z' }),
  end_timestamp: LastMoment.optional().meta({ example: '2026-11-16T00:00:00Z' }),
})
