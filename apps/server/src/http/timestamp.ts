const SECONDS_A_DAY = 86_400
const pairs = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
let lastDay = -1
let lastDate = ''

/** `2026-11-15T01:12:03Z`. Formatted by hand: lists have hundreds, and Date's own formatting was half their cost. */
export function timestamp(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const day = Math.floor(seconds / SECONDS_A_DAY)
  if (day !== lastDay) {
    lastDate = new Date(day * SECONDS_A_DAY * 1000).toISOString().slice(0, 10)
    lastDay = day
  }
  const inDay = seconds - day * SECONDS_A_DAY
  const hour = Math.floor(inDay / 3600)
  const minute = Math.floor(inDay / 60) % 60
  return `${lastDate}T${pairs[hour]}:${pairs[minute]}:${pairs[inDay % 60]}Z`
}
