import type { DayOfUse } from '../api/records.ts'
import { minutesAheadOfUtc } from '../format.ts'

const DAY_MS = 86_400_000

/** Adds the days without questions, up to today. */
export function fillDays(used: DayOfUse[], days: number): DayOfUse[] {
  const byDate = new Map(used.map((day) => [day.date, day]))
  const now = Date.now() + minutesAheadOfUtc() * 60_000
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(now - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return byDate.get(date) ?? nothingOn(date)
  })
}

function nothingOn(date: string): DayOfUse {
  return {
    date,
    messages: 0,
    answered: 0,
    sessions: 0,
    rated_up: 0,
    rated_down: 0,
    tokens: 0,
    first_text_p50: null,
    first_text_p95: null,
  }
}
