import { z } from 'zod'

/** In milliseconds. */
export const Moment = z
  .string()
  .transform(parseMoment)
  .refine((ms) => !Number.isNaN(ms), 'must be a time, as 2026-11-15T01:12:03Z or in Unix seconds')

/** Of times, whole seconds are shown: one that is given as the last means all of it. */
export const LastMoment = Moment.transform((ms) => (ms % 1000 === 0 ? ms + 999 : ms))

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
