const LONGEST = 100
// Begins like a title, perhaps with a number, and ends like no sentence, label or item.
const TITLE =
  /^(?:(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s+)?[\p{Lu}\p{Lo}¿“"][^{}<>=|]*[^\s.,;:…]$/u
const SAYS =
  /\b(?:(?:is|are|do)(?:n['’]t)?|was|were|does|must|may|can|cannot|will|has|have|please|never|always)\b/i
const ASKS = /^(?:how|what|when|where|why|who|which|if)\b|[?？]$/i
// A time, a price, a number to call, or an address.
const INFORMS =
  /\d[:.]\d\d|[€$£¥]\s?\d|\d\s?(?:[€$£¥%]|(?:am|pm|h|Uhr|EUR|USD)\b)|\d{3}[-\s]\d{3}|\d\s?[–-]\s?\d|@|www\.|https?:/i

// Of a title where no heading stands before it.
export const USUAL_LEVEL = 3

/** A line that stands out, as a heading below one of a level. */
export function titleBelow(level: number, line: string): string {
  return `${'#'.repeat(Math.min(level + 1, 6))} ${line}`
}

/** Whether a line that stands out is a heading. One that tells something is an answer, and has to be quoted as one. */
export function looksLikeTitle(line: string): boolean {
  if (line.length > LONGEST || !TITLE.test(line) || INFORMS.test(line)) return false
  return !SAYS.test(line) || ASKS.test(line)
}
