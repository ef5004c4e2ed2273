import { z } from 'zod'

const SECOND_MS = 1000
const DAY_MS = 86_400_000
const UNIX_SECONDS = /^\d+(\.\d+)?$/
const LONGEST = 100
// JavaScript reads these as UTC or as the server's local time: 2026-11-15, or with a time.
const ISO = /^\d{4}(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i
const CLOCK = /[T ]?\d\d?:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[ap]m)?/
const ZONE =
  /(?:z|utc|gmt|[ecmp][sd]t|(?=[+-]))(?:[+-]\d\d?(?::?\d\d)?)?(?: ?\([^()]*\))?(?![\w/.-])/
const TIME = new RegExp(`${CLOCK.source}(?<zone> ?${ZONE.source})?`, 'i')
// 2026-11-15 and 2026/11/15, 11/15/2026, 15 Nov 2026 and November 15, 2026.
const DAYS = [
  /^\d{4}[-/.]\d\d?[-/.](\d\d?)$/,
  /^\d\d?[-/.](\d\d?)[-/.]\d{4}$/,
  /^(?=.*\p{L}).*?(?<!\d)(\d\d?)(?!\d)/u,
]

/** In milliseconds. */
export const Moment = momentBy(parseMoment)

/**
 * The end of a range. The API shows times in whole seconds, so an end time includes its whole second, and a date its
 * whole day.
 */
export const LastMoment = momentBy((given) => {
  const first = parseMoment(given)
  const isDay = !UNIX_SECONDS.test(given) && !given.includes(':')
  if (isDay) return first + DAY_MS - 1
  return first % SECOND_MS === 0 ? first + SECOND_MS - 1 : first
})

function momentBy(parse: (given: string) => number) {
  return z
    .string()
    .transform(parse)
    .refine((ms) => !Number.isNaN(ms), 'must be a time, as 2026-11-15T01:12:03Z or in Unix seconds')
}

/** Parses Unix seconds or a date with or without a time. The default time zone is UTC. */
function parseMoment(given: string): number {
  const value = given.trim()
  // Values outside the range of `Date` become NaN.
  if (UNIX_SECONDS.test(value)) return new Date(Math.floor(Number(value) * 1000)).getTime()
  const [time = '', zone] = TIME.exec(value) ?? []
  const date = value.replace(time, ' ').trim()
  if (value.length > LONGEST || !/\d{4}/.test(date) || namesNoDay(date)) return Number.NaN
  // JavaScript rejects a time zone of hours only.
  const full = value.replace(/([+-]\d\d)$/, time && zone ? '$1:00' : '$1')
  const iso = full.replace(' ', 'T')
  const hasZone = zone !== undefined
  if (ISO.test(iso)) return Date.parse(time && !hasZone ? `${iso}Z` : iso)
  return Date.parse(hasZone ? full : `${value} UTC`)
}

/** For example February 30, which JavaScript would turn into March 2. */
function namesNoDay(date: string): boolean {
  const day = DAYS.map((form) => form.exec(date)?.[1]).find((found) => found !== undefined)
  return day !== undefined && new Date(`${date} UTC`).getUTCDate() !== Number(day)
}
