import type { Language } from '@docent/words/words.ts'

/** The current offset. Daylight saving time may change it. */
export function minutesAheadOfUtc(): number {
  return -new Date().getTimezoneOffset()
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** Formats as “5 minutes ago”, and as a date after a month. */
export function formatWhen(timestamp: string, language: Language): string {
  const then = Date.parse(timestamp)
  const past = then - Date.now()
  if (Math.abs(past) > 30 * 86_400_000) {
    return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(then)
  }
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const step = STEPS.find(([, ms]) => Math.abs(past) >= ms)
  return step ? relative.format(Math.trunc(past / step[1]), step[0]) : relative.format(0, 'second')
}

export function formatMoment(timestamp: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    Date.parse(timestamp),
  )
}

export function formatTime(timestamp: string, language: Language): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(Date.parse(timestamp))
}

export function formatPercent(share: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(
    share,
  )
}

export function formatMs(ms: number, language: Language): string {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  }).format(ms)
}

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}

/** Small rates keep two digits: one event in thirty days is 0.03 a day. */
export function formatRate(value: number, language: Language): string {
  const maximumFractionDigits = value < 1 ? 2 : 1
  return new Intl.NumberFormat(language, { maximumFractionDigits }).format(value)
}

const UNITS: [unit: string, bytes: number][] = [
  ['megabyte', 1_000_000],
  ['kilobyte', 1_000],
]

export function formatBytes(bytes: number, language: Language): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['byte', 1]
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    // The short form has no plural: “2 byte”.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(bytes / size)
}

export function formatHours(hours: number, language: Language): string {
  const unit = { style: 'unit', unit: 'hour', unitDisplay: 'long' } as const
  return new Intl.NumberFormat(language, unit).format(hours)
}
