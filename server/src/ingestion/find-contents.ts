import type { Span } from './split-text.ts'

// “1.2 What is it? . . . . . 7”: what leads the eye to the number of a page.
const ENTRY = /(?:\.[ \t]?|·[ \t]?|…[ \t]?){4,}\s*(\d{1,4}|[ivxlc]{1,7})$/
// Of a line of dots, the search would begin at every one.
const ITS_END = 40
const FEWEST_ENTRIES = 4
const LEAST_SHARE = 0.5

/**
 * Which of the paragraphs are a table of contents. It has the words of every question and answers none. The pages of its
 * entries never go back, which tells it from a list of prices.
 */
export function findContents(text: string, paragraphs: Span[]): Set<Span> {
  const found = new Set<Span>()
  let group: Span[] = []
  let pages: string[] = []
  for (const paragraph of [...paragraphs, undefined]) {
    const entries = paragraph && entriesOf(text.slice(paragraph.start, paragraph.end))
    if (entries) {
      group.push(paragraph)
      pages.push(...entries)
      continue
    }
    if (pages.length >= FEWEST_ENTRIES && isInOrder(pages)) {
      for (const one of group) found.add(one)
    }
    group = []
    pages = []
  }
  return found
}

/** The pages that its lines lead to, if most of them do. */
function entriesOf(paragraph: string): string[] | undefined {
  const lines = paragraph.split('\n')
  const pages = lines.flatMap((line) => ENTRY.exec(line.trimEnd().slice(-ITS_END))?.[1] ?? [])
  return pages.length > 0 && pages.length >= lines.length * LEAST_SHARE ? pages : undefined
}

function isInOrder(pages: string[]): boolean {
  // Those before the first chapter are counted in Roman numbers.
  const numbers = pages.filter((page) => /^\d/.test(page)).map(Number)
  return numbers.every((number, i) => i === 0 || number >= numbers[i - 1]!)
}
