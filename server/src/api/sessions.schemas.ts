import { z } from 'zod'
import type { Session } from '../store/sessions.ts'
import { PageQuery, TimestampOut, UuidOut } from './common.schemas.ts'
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

const moment = z
  .string()
  .transform((value) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value)))
  .refine((ms) => !Number.isNaN(ms), 'must be a time, as 2026-11-15T01:12:03Z or in Unix seconds')
  .optional()
  .meta({ example: '2026-11-15T00:00:00Z' })

export const SessionsQuery = PageQuery.extend({ start_timestamp: moment, end_timestamp: moment })

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
