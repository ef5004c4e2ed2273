import type { Span } from '@docent/text/code-blocks.ts'

// “1.2 What is it? . . . . . 7”: dot leaders before the page number.
const ENTRY = /(?:\.[ \t]?|·[ \t]?|…[ \t]?){4,}\s*(?:\d{1,4}|[ivxlc]{1,7})$/
// A chapter's entry may have no dot leaders.
const CHAPTER = /\t\d{1,4}$/
// Only the end of a line is tested: in a line of dots, the search would begin at every dot.
const ITS_END = 40
const LONGEST_LINE = 300
const MOST_LINES_OF_ENTRY = 3
const FEWEST_ENTRIES = 4
const LEAST_TOLD = 0.5

/**
 * Finds the paragraphs that are a table of contents: most of their entries also stand elsewhere in the text, on a line
 * of their own. A table of contents has the words of every question and answers none. Lists of prices or phone numbers
 * do not match.
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

/** Returns the entries of a paragraph, or undefined if it contains anything else. */
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

/** The lines of these paragraphs, normalized for comparison with entries. */
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
