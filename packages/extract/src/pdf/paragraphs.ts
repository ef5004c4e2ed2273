import { looksLikeTitle } from '../web/looks-like-title.ts'
import { median } from './columns.ts'
import { extentOf, IDEOGRAPH, type Line } from './lines.ts'
import { findTables } from './tables.ts'

const HEADING_SIZE = 1.15
const MAX_HEADING = 150
const MAX_HEADING_LINES = 2
// A line that the next line does not continue.
const ENDED = /[.!?:;…。！？”"')\]]$|^[•‣▪●○◦–—*-]\s/u
// An entry of a table of contents, with its page number.
const ENTRY = /(?:\. ?){4,}\d{1,4}$/
// Section headings of statutes and contracts.
const SECTION = /^§\s?\d+[a-z]?\s+\p{Lu}[^.;:!?]{2,60}$/u
const BULLET = /^(?:[•‣▪●○◦–—*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s/i
// How many lines around a line define the width of its paragraph.
const NEIGHBOURS = 3
const LONGEST_WORD = 60

/** Writes the lines of a column as text: paragraphs joined, one table row per line, large print as headings. */
export function writeParagraphs(lines: Line[], body: Body): string {
  const column: Column = {
    ...extentOf(lines),
    leading: median(lines.slice(1).map((line, i) => line.baseline - lines[i]!.baseline)),
    headings: lines.map((_, i) => headingMarks(lines, i, body)),
    compounds: new Set(lines.flatMap(({ text }) => text.match(/(?<!\p{L})\p{L}+-\p{L}+/gu) ?? [])),
  }
  const tables = new Map(findTables(lines).map((table) => [table.from, table]))
  let text = ''
  let paragraph = ''
  let tableEnd = -1
  for (const [i, line] of lines.entries()) {
    if (i < tableEnd) continue
    const table = tables.get(i)
    if (table) {
      text += paragraph
      if (text !== '') text += '\n\n'
      paragraph = table.rows.join('\n').trim()
      tableEnd = table.to
      continue
    }
    const before = i === tableEnd ? undefined : lines[i - 1]
    const relation = before ? relate(lines, i, column) : 'apart'
    if (relation === 'continued') paragraph = joinLines(paragraph, line.text, column)
    else {
      text += paragraph
      if (text !== '') text += relation === 'below' ? '\n' : '\n\n'
      paragraph = column.headings[i] + line.text
    }
  }
  return text + paragraph
}

/** The height and font of most of a page. */
interface Body {
  height: number
  font: string | undefined
}

interface Column {
  left: number
  right: number
  leading: number
  /** The heading marks of each line, or an empty string. */
  headings: string[]
  /** Words with a hyphen inside a line. */
  compounds: Set<string>
}

/** How a line relates to the previous one: in its paragraph, on a new line, or after a break. */
function relate(lines: Line[], i: number, column: Column): 'continued' | 'below' | 'apart' {
  const [before, line] = [lines[i - 1]!, lines[i]!]
  const distance = line.baseline - before.baseline
  // With few lines, the median distance says little. At most, every other line is empty.
  const usual = Math.min(Math.max(column.leading, line.height), line.height * 2)
  const isNear = distance <= usual * 1.35
  const [marksBefore, marks] = [column.headings[i - 1]!, column.headings[i]!]
  if (marks !== '' || marksBefore !== '') {
    const isSameHeading =
      marks === marksBefore && isLike(before, line) && distance < line.height * 2
    return isSameHeading ? 'continued' : 'apart'
  }
  if (!isNear) return 'apart'
  if (before.cells > 1 || line.cells > 1 || !isLike(before, line)) return 'below'
  if (ENTRY.test(before.text.slice(-LONGEST_WORD))) return 'below'
  const isRunning = isFull(before, line, neighboursOf(lines, i))
  // “within thirty | (30) days” is not a list.
  const isInSentence = /^\(\d/.test(line.text) && isRunning && !ENDED.test(before.text)
  if (BULLET.test(line.text) && !isInSentence) return 'below'
  if (isIndented(line, column) && !isIndented(before, column) && !BULLET.test(before.text)) {
    return 'apart'
  }
  return isRunning ? 'continued' : 'below'
}

function isLike(a: Line, b: Line): boolean {
  return Math.abs(a.height - b.height) <= Math.max(a.height, b.height) * 0.15
}

function headingMarks(lines: Line[], i: number, body: Body): string {
  const { text, cells } = lines[i]!
  if (cells > 1 || text.length > MAX_HEADING || !/\p{L}{2}/u.test(text)) return ''
  if (isLarge(lines[i]!, body)) return '## '
  if (SECTION.test(text) && !SECTION.test(lines[i + 1]?.text ?? '')) return '### '
  return isSetApart(lines, i, body) ? '### ' : ''
}

function isLarge({ height }: Line, body: Body): boolean {
  return height >= body.height * HEADING_SIZE
}

/** Whether one or two short lines have another font than those above and below, mostly a bold one. */
function isSetApart(lines: Line[], i: number, body: Body): boolean {
  const line = lines[i]!
  if (body.font === undefined || line.font === '' || line.font === body.font) return false
  const isOther = (at: number) => {
    const other = lines[at]
    return other !== undefined && other.font === line.font && !isLarge(other, body)
  }
  const first = isOther(i - 1) ? i - 1 : i
  const last = isOther(i + 1) ? i + 1 : i
  const [above, below] = [lines[first - 1], lines[last + 1]]
  if (last - first + 1 > MAX_HEADING_LINES || isOther(first - 1) || isOther(last + 1)) return false
  const whole = lines.slice(first, last + 1)
  const text = whole.map((one) => one.text).join(' ')
  return (
    below?.font === body.font &&
    !isFull(lines[last]!, below, neighboursOf(lines, last + 1)) &&
    (above === undefined || isLarge(above, body) || ENDED.test(above.text)) &&
    whole.every((one) => one.cells === 1) &&
    looksLikeTitle(text)
  )
}

function isIndented(line: Line, { left, right }: Column): boolean {
  const indent = line.isRtl ? right - line.right : line.left - left
  return indent > line.height * 0.7 && indent < line.height * 5
}

function neighboursOf(lines: Line[], i: number): Line[] {
  return lines.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS)
}

/** Whether the first word of the next line would not fit on this one. */
function isFull(before: Line, line: Line, around: Line[]): boolean {
  const { left, right } = extentOf(around)
  const room = before.isRtl ? before.left - left : right - before.right
  const letterWidth = (line.right - line.left) / line.text.length
  const firstWord = IDEOGRAPH.test(line.text[0]!) ? 2 : line.text.split(/\s/, 1)[0]!.length + 1
  return room < letterWidth * firstWord * 1.2
}

/** Joins a word that was hyphenated at the end of its line. */
function joinLines(paragraph: string, next: string, { compounds }: Column): string {
  if (paragraph.endsWith('\u00AD')) return paragraph.slice(0, -1) + next
  // Uses only the end: the search would begin at every letter.
  const end = paragraph.slice(-LONGEST_WORD)
  // Joins only before a lowercase letter, and keeps a hyphen that belongs to the word.
  const before = /(\p{L}*[-‐])?(\p{L}{2,})[-‐]$/u.exec(end)
  const after = /^(\p{Ll}+)([-‐]\p{L})?/u.exec(next)
  const isCompound = before?.[1] || after?.[2] || compounds.has(`${before?.[2]}-${after?.[1]}`)
  if (before && after && !isCompound) return paragraph.slice(0, -1) + next
  if (/[\p{L}\p{N}][-‐–—/]$|:\/\/$/u.test(end)) return paragraph + next
  if (IDEOGRAPH.test(paragraph.at(-1) ?? '') && IDEOGRAPH.test(next[0] ?? ''))
    return paragraph + next
  return `${paragraph} ${next}`
}
