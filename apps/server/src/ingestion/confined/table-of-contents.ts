import type { Span } from '@docent/text/code-blocks.ts'

// “1.2 What is it? . . . . . 7”: what leads the eye to the number of a page.
const ENTRY = /(?:\.[ \t]?|·[ \t]?|…[ \t]?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7})$/
// Of a chapter, they may be left out.
const CHAPTER = /\t\d{1,4}$/
// Of a line of dots, the search would begin at every one.
const ITS_END = 40
const LONGEST_LINE = 300
const MOST_LINES_OF_ENTRY = 3
const FEWEST_ENTRIES = 4
const LEAST_TOLD = 0.5

/**
 * Which of the paragraphs are a table of contents: most of what they list stands somewhere else in the text, on a line of its
 * own. It has the words of every question and answers none. A list of prices or of telephones is none.
 */
export function findContents(text: string, paragraphs: Span[]): Set<Span> {
  const listing = new Map<Span, string[]>()
  for (const paragraph of paragraphs) {
    const titles = titlesIn(text.slice(paragraph.start, paragraph.end))
    if (titles) listing.set(paragraph, titles)
  }
  const found = new Set<Span>()
  if (listing.size === 0) return found
  const lines = linesOf(
    text,
    paragraphs.filter((paragraph) => !listing.has(paragraph)),
  )
  let group: Span[] = []
  for (const paragraph of [...paragraphs, undefined]) {
    if (paragraph && listing.has(paragraph)) {
      group.push(paragraph)
      continue
    }
    const titles = group.flatMap((one) => listing.get(one)!)
    const told = titles.filter((title) => lines.has(title)).length
    if (titles.length >= FEWEST_ENTRIES && told >= titles.length * LEAST_TOLD)
      for (const one of group) found.add(one)
    group = []
  }
  return found
}

/** What a paragraph lists, if it does nothing else. */
function titlesIn(paragraph: string): string[] | undefined {
  const titles: string[] = []
  let open: string[] = []
  for (const line of paragraph.split('\n').map((one) => one.trimEnd())) {
    open.push(line)
    if (line.length > LONGEST_LINE || open.length > MOST_LINES_OF_ENTRY) return undefined
    const mark = [ENTRY, CHAPTER].find((pattern) => pattern.test(line.slice(-ITS_END)))
    if (!mark) continue
    titles.push(plain(withoutPage(open.join(' '))))
    open = []
  }
  return open.length === 0 ? titles : undefined
}

function withoutPage(entry: string): string {
  let end = entry.length
  while (end > 0 && /[\da-z]/.test(entry[end - 1]!)) end -= 1
  while (end > 0 && /[\s.·…]/.test(entry[end - 1]!)) end -= 1
  return entry.slice(0, end)
}

/** The lines that these paragraphs have, as they would be listed. */
function linesOf(text: string, paragraphs: Span[]): Set<string> {
  const lines = new Set<string>()
  for (const { start, end } of paragraphs) {
    for (const line of text.slice(start, end).split('\n'))
      if (line.length <= LONGEST_LINE) lines.add(plain(line))
  }
  return lines
}

function plain(line: string): string {
  return line
    .replace(/^#+/, '')
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
}
