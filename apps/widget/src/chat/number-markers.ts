/** A text for other places, where its markers would mean nothing. */
export function withoutMarkers(text: string): string {
  return text.replace(/ ?\[\d{1,3}\.\d{1,3}\]/g, '')
}

/** Without the markers that have no citation: of an answer that broke off nobody has noted what it cites. */
export function withoutUncited(text: string, citations: Record<string, unknown>): string {
  return text.replace(/ ?\[(\d{1,3}\.\d{1,3})\]/g, (whole, marker: string) =>
    Object.hasOwn(citations, marker) ? whole : '',
  )
}

/** Numbers the markers of a text in the order in which they come first. */
export function numberMarkers(text: string): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const [, marker] of text.matchAll(/\[(\d{1,3}\.\d{1,3})\]/g)) {
    if (!numbers.has(marker!)) numbers.set(marker!, numbers.size + 1)
  }
  return numbers
}
