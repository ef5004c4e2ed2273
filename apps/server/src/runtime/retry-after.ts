/** Parses seconds or a date into milliseconds from now. */
export function readRetryAfter(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined) return undefined
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
