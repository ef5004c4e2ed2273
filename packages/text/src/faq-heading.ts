// Question marks of all scripts at the end of a line.
const ASKS = /[?？؟]\s*$/
const HEADINGS = /^(?:#{1,6}\s[^\n]*(?:\n\s*|$))+/

export function asks(title: string): boolean {
  return ASKS.test(title)
}

/** For a passage whose last heading is a question, as in an FAQ, the number of that heading from 1. Otherwise 0. */
export function askingHeading(text: string): number {
  const [headings = ''] = HEADINGS.exec(text) ?? []
  const lines = headings.split('\n').filter((line) => line.trim() !== '')
  return asks(lines.at(-1) ?? '') ? lines.length : 0
}
