import { codeBlocksOf, type Span } from '@docent/text/code-blocks.ts'
import { findContents } from './table-of-contents.ts'

const TARGET_LENGTH = 650
const MAX_LENGTH = 1300

/** Splits a text into passages at paragraphs, and long paragraphs at sentences. Ranges are exact. */
export function splitText(text: string, code = codeBlocksOf(text)): Span[] {
  const paragraphs = [...paragraphsOf(text, code)]
  const prose = paragraphs.filter(({ start }) => !isInside(code, start))
  const contents = findContents(text, prose)
  if (contents.size === 0) return gather(text, code, paragraphs)
  const passages: Span[] = []
  let stretch: Span[] = []
  for (const paragraph of [...paragraphs, undefined]) {
    if (paragraph && !contents.has(paragraph)) stretch.push(paragraph)
    else {
      // A heading above a table of contents is dropped with it.
      for (const one of gather(text, code, stretch))
        if (!paragraph || !isOneHeading(text, one)) passages.push(one)
      stretch = []
    }
  }
  return passages
}

function isOneHeading(text: string, passage: Span): boolean {
  return isHeadings(text, passage) && !text.slice(passage.start, passage.end).includes('\n')
}

function gather(text: string, code: Span[], paragraphs: Span[]): Span[] {
  const passages: Span[] = []
  let open: Span | undefined
  for (const block of blocksOf(text, paragraphs)) {
    const startsSection =
      text.startsWith('#', block.start) && !isInside(code, block.start) && !isHeadings(text, open)
    if (open && (startsSection || block.end - open.start > TARGET_LENGTH)) {
      passages.push(open)
      open = undefined
    }
    open = open ? { start: open.start, end: block.end } : block
  }
  if (open) passages.push(open)
  return passages
}

/** A heading alone says nothing, so it stays with the text below it. */
function isHeadings(text: string, open: Span | undefined): boolean {
  if (!open) return false
  const lines = text.slice(open.start, open.end).split('\n')
  return lines.every((line) => line.trim() === '' || /^#{1,6}\s/.test(line))
}

/** Whether a position is inside a span. The spans must be sorted. */
export function isInside(spans: Span[], at: number): boolean {
  const next = spans.findLast(({ start }) => start <= at)
  return next !== undefined && at < next.end
}

/** Joins a paragraph that ends in a colon with the next one: “You need:” says nothing alone. */
function* blocksOf(text: string, paragraphs: Span[]): Generator<Span> {
  let lead: Span | undefined
  for (const paragraph of paragraphs) {
    let block: Span = { start: lead?.start ?? paragraph.start, end: paragraph.end }
    if (lead && block.end - block.start > MAX_LENGTH) {
      // If the lead has several lines, only the last one introduces the next paragraph.
      const line = text.lastIndexOf('\n', lead.end - 1) + 1
      const isCarried = line > lead.start && paragraph.end - line <= MAX_LENGTH
      yield* piecesOf(text, isCarried ? trimmed(text, { ...lead, end: line }) : lead)
      block = { ...paragraph, start: isCarried ? line : paragraph.start }
    }
    lead = /[:：]/.test(text[block.end - 1]!) ? block : undefined
    if (!lead) yield* piecesOf(text, block)
  }
  if (lead) yield* piecesOf(text, lead)
}

/** Splits at blank lines, except inside code. */
function* paragraphsOf(text: string, code: Span[]): Generator<Span> {
  let from = 0
  let next = 0
  for (const gap of [...text.matchAll(/\n\s*\n/g), undefined]) {
    const at = gap?.index ?? text.length
    while (next < code.length && code[next]!.end <= at) next += 1
    if (gap && next < code.length && code[next]!.start < at) continue
    const paragraph = trimmed(text, { start: from, end: at })
    from = gap ? at + gap[0].length : text.length
    if (paragraph.end > paragraph.start) yield paragraph
  }
}

/** Splits a long span into pieces of about equal length, at sentence ends or else at spaces. */
function* piecesOf(text: string, { start, end }: Span): Generator<Span> {
  let from = start
  while (end - from > MAX_LENGTH) {
    const left = end - from
    const wanted = left / Math.ceil(left / MAX_LENGTH)
    const window = text.slice(from, from + MAX_LENGTH)
    const cut =
      nearestEnd(window, wanted, /[.!?](?=\s)|[。！？]|\n/g) ??
      nearestEnd(window, wanted, /\s/g) ??
      MAX_LENGTH
    const piece = trimmed(text, { start: from, end: from + wholeCharacters(window, cut) })
    if (piece.end > piece.start) yield piece
    from += wholeCharacters(window, cut)
  }
  const rest = trimmed(text, { start: from, end })
  if (rest.end > rest.start) yield rest
}

/** The end of the match nearest to the wanted length; undefined if all matches are too early. */
function nearestEnd(window: string, wanted: number, pattern: RegExp): number | undefined {
  const ends = Array.from(window.matchAll(pattern), (match) => match.index + match[0].length)
  const near = ends.filter((end) => end > MAX_LENGTH / 4)
  if (near.length === 0) return undefined
  return near.reduce((best, end) => (Math.abs(end - wanted) < Math.abs(best - wanted) ? end : best))
}

function wholeCharacters(window: string, cut: number): number {
  const last = window.charCodeAt(cut - 1)
  return last >= 0xd800 && last <= 0xdbff ? cut - 1 : cut
}

function trimmed(text: string, { start, end }: Span): Span {
  const piece = text.slice(start, end)
  return {
    start: start + (piece.length - piece.trimStart().length),
    end: end - (piece.length - piece.trimEnd().length),
  }
}
