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
  .transform(parseMoment)
  .refine((ms) => !Number.isNaN(ms), 'must be a time, as 2026-11-15T01:12:03Z or in Unix seconds')

export const SessionsQuery = PageQuery.extend({
  start_timestamp: moment.optional().meta({ example: '2026-11-15T00:00:00Z' }),
  // Of times, whole seconds are shown: one that is given means all of it.
  end_timestamp: moment
    .transform((ms) => (ms % 1000 === 0 ? ms + 999 : ms))
    .optional()
    .meta({ example: '2026-11-16T00:00:00Z' }),
})

/** In Unix seconds, or as a date with or without a time: in UTC, unless it says otherwise. */
function parseMoment(value: string): number {
  // Beyond what a date can be, it is none: the years before and after 1970 are counted.
  if (/^\d+(\.\d+)?$/.test(value)) return new Date(Math.floor(Number(value) * 1000)).getTime()
  if (!/\d{4}/.test(value) || namesNoDay(value)) return Number.NaN
  const isLocal = /\d[T ]\d[\d:.]*$/i.test(value)
  return Date.parse(isLocal ? `${value}Z` : value)
}

/** The thirtieth of February, of which JavaScript makes the second of March. */
function namesNoDay(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(value) ?? []
  return (
    day !== undefined &&
    Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  )
}

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
