/** A text for other places, where its markers would mean nothing. */
export function withoutMarkers(text: string): string {
  return text.replace(/ ?\[\d{1,3}\.\d{1,3}\]/g, '')
}

/** Numbers the markers of a text in the order in which they come first. */
export function numberMarkers(text: string): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const [, marker] of text.matchAll(/\[(\d{1,3}\.\d{1,3})\]/g)) {
    if (!numbers.has(marker!)) numbers.set(marker!, numbers.size + 1)
  }
  return numbers
}
