import { z } from 'zod'
import type { Session } from '../store/sessions.ts'
import { PageQuery, TimestampOut, UuidOut } from './common.schemas.ts'
import { LastMoment, Moment } from './moment.schemas.ts'
import { timestamp } from './timestamp.ts'

export const NewSessionRecord = z
  .object({ uuid: UuidOut, created_at: TimestampOut, modified_at: TimestampOut })
  .meta({ id: 'NewSession' })

export const SessionRecord = z
  .object({
    uuid: UuidOut,
    created_at: TimestampOut,
    modified_at: TimestampOut,
    meta: z.record(z.string(), z.unknown()).meta({ example: {} }),
  })
  .meta({ id: 'Session' })

export const SessionsQuery = PageQuery.extend({
  start_timestamp: Moment.optional().meta({ example: '2026-11-15T00:00:00Z' }),
  end_timestamp: LastMoment.optional().meta({ example: '2026-11-16T00:00:00Z' }),
})

export function toNewSessionRecord(session: Session): z.infer<typeof NewSessionRecord> {
  return {
    uuid: session.id,
    created_at: timestamp(session.created_at),
    modified_at: timestamp(session.modified_at),
  }
}

export function toSessionRecord(session: Session): z.infer<typeof SessionRecord> {
  return { ...toNewSessionRecord(session), meta: {} }
}
