/** Removes all markers, which mean nothing outside the chat. */
export function withoutMarkers(text: string): string {
  return text.replace(/ ?\[\d{1,3}\.\d{1,3}\]/g, '')
}

/** Removes markers without a citation. An interrupted answer may have no recorded citations. */
export function withoutUncited(text: string, citations: Record<string, unknown>): string {
  return text.replace(/ ?\[(\d{1,3}\.\d{1,3})\]/g, (whole, marker: string) =>
    Object.hasOwn(citations, marker) ? whole : '',
  )
}

/** Numbers the markers in order of first appearance. */
export function numberMarkers(text: string): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const [, marker] of text.matchAll(/\[(\d{1,3}\.\d{1,3})\]/g)) {
    if (!numbers.has(marker!)) numbers.set(marker!, numbers.size + 1)
  }
  return numbers
}
