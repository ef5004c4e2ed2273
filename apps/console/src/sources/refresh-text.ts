import { fill } from '@docent/words/words.ts'
import { formatHours } from '../format.ts'
import type { Speech } from '../words-context.tsx'

/** Describes a refresh interval. 0 means never. */
export function refreshText(hours: number, { words, language }: Speech): string {
  const t = words.sources
  if (hours === 0) return t.refreshNever
  if (hours === 24) return t.refreshDaily
  if (hours === 168) return t.refreshWeekly
  return fill(t.refreshEvery, { time: formatHours(hours, language) })
}
