// What ends a question, in any script.
const ASKS = /[?？؟]\s*$/
const HEADINGS = /^(?:#{1,6}\s[^\n]*(?:\n\s*|$))+/

/** Whether a heading asks something. */
export function asks(title: string): boolean {
  return ASKS.test(title)
}

/** Of a passage whose heading asks, as on a page of frequent questions: at which of its headings, from 1; otherwise 0. */
export function askingHeading(text: string): number {
  const [headings = ''] = HEADINGS.exec(text) ?? []
  const lines = headings.split('\n').filter((line) => line.trim() !== '')
  return asks(lines.at(-1) ?? '') ? lines.length : 0
}
