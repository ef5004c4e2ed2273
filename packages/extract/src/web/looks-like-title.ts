const LONGEST = 100
// A title begins with a capital, optionally after a number, and does not end like a sentence, label or list item.
const TITLE =
  /^(?:(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVX]{1,5}|[A-Z])[.)]?\s+)?[\p{Lu}\p{Lo}¿“"][^{}<>=|]*[^\s.,;:…]$/u
const SAYS =
  /\b(?:(?:is|are|do)(?:n['’]t)?|was|were|does|must|may|can|cannot|will|has|have|please|never|always)\b/i
const ASKS = /^(?:how|what|when|where|why|who|which|if)\b|[?？]$/i
// A time, a price, a phone number or an address.
const INFORMS =
  /\d[:.]\d\d|[€$£¥]\s?\d|\d\s?(?:[€$£¥%]|(?:am|pm|h|Uhr|EUR|USD)\b)|\d{3}[-\s]\d{3}|\d\s?[–-]\s?\d|@|www\.|https?:/i

// The level of a title without a heading before it.
export const USUAL_LEVEL = 3

/** Formats a title as a heading below the given level. */
export function titleBelow(level: number, line: string): string {
  return `${'#'.repeat(Math.min(level + 1, 6))} ${line}`
}

/** Whether a bold line is a heading. A line that states a fact is an answer, which must stay quotable. */
export function looksLikeTitle(line: string): boolean {
  if (line.length > LONGEST || !TITLE.test(line) || INFORMS.test(line)) return false
  return !SAYS.test(line) || ASKS.test(line)
}
