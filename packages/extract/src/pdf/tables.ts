import { oneLine } from '../document-text.ts'
import { areNames, areOverNumbers, HeadedTable } from '../tables/headed-table.ts'
import { median } from './columns.ts'
import { extentOf, type Line } from './lines.ts'

export interface PdfTable {
  /** Of the lines that it was read from; the last is not among them. */
  from: number
  to: number
  rows: string[]
}

interface Span {
  left: number
  right: number
}

/** A row that may have been set on several lines: the words of each column. */
type Row = string[]

// In heights of the letters: how far apart rows are at most, and lines of one cell, and how near what stands side by side in a row.
const ROW_GAP = 3
const LINE_GAP = 1.5
const BESIDE_GAP = 0.9
// How much wider a gap may be than the narrowest, and still part lines of one cell only.
const ALIKE = 1.1
const FEWEST_ROWS = 3
const MOST_LINES = 1_000
// What is set larger is a heading.
const LARGER = 1.15
// Of a timetable, where a row has few cells.
const FEWEST_COLUMNS = 4
const FEWEST_IN_PROSE = 28
const PROSE = 0.5
const MOST_TRIES = 3
const MOST_COLUMNS = 50
// So many of the lines have as many cells as the widest of them, where the first is not set apart.
const REGULAR = 0.4
// Of the width of a table: what is wider is no cell, but a paragraph below it.
const WIDEST_CELL = 0.8
const WIDER = 2
const CAPITALS = /^[^\p{Ll}]*\p{Lu}{3}[^\p{Ll}]*$/u

/** The tables among the lines of a column whose first row names what stands under it. */
export function findTables(lines: Line[]): PdfTable[] {
  const tables: PdfTable[] = []
  let tries = 0
  for (let from = 0; from < lines.length; from++) {
    if (lines[from]!.cells < 2 || lines[from]!.isRtl) continue
    const to = endOf(lines, from)
    const isAbove = from > (tables.at(-1)?.to ?? 0) && isHeaderAbove(lines, from)
    const rows = readTable(lines.slice(from, to), isAbove ? lines[from - 1] : undefined)
    if (rows) tables.push({ from: isAbove ? from - 1 : from, to, rows })
    // What stands above a header may look like a row of its table, too.
    tries = rows ? 0 : tries + 1
    if (rows || tries >= MOST_TRIES) {
      from = to - 1
      tries = 0
    }
  }
  return tables
}

function endOf(lines: Line[], from: number): number {
  const { height, font } = lines[from]!
  let { left, right } = lines[from]!
  let end = from + 1
  for (; end < Math.min(lines.length, from + MOST_LINES); end++) {
    const line = lines[end]!
    const gap = gapAbove(lines, end)
    if (gap > height * ROW_GAP || line.height > height * LARGER || line.isRtl) break
    if (line.parts.length > 1) {
      left = Math.min(left, line.left)
      right = Math.max(right, line.right)
      continue
    }
    // A line alone is part of a cell, beside others or below them as lines are; or it says what the rows below it are.
    const isBeside = Math.min(gap, gapAbove(lines, end + 1)) < height * BESIDE_GAP
    const isNarrow = line.right - line.left < (right - left) * WIDEST_CELL
    const isTitle = line.font === font && font !== ''
    const isAbove = (lines[end + 1]?.parts.length ?? 0) > 1
    const isCell = isTitle ? isAbove : gap < height * LINE_GAP
    if (!isBeside && !(isNarrow && isCell)) break
  }
  return end
}

/** A part of the header that is set on more lines than the rest of it. */
function isHeaderAbove(lines: Line[], at: number): boolean {
  const [above, line] = [lines[at - 1]!, lines[at]!]
  const isNear = gapAbove(lines, at) < line.height * LINE_GAP
  const isOver = line.parts.some((part) => sharedWidth(part, above) > 0 && !isWider(above, part))
  return (
    isNear && above.parts.length === 1 && line.font !== '' && above.font === line.font && isOver
  )
}

/** By more than two cells that are centred differ. */
function isWider(a: Span, b: Span): boolean {
  return a.right - a.left > (b.right - b.left) * WIDER
}

function gapAbove(lines: Line[], at: number): number {
  const line = lines[at]
  const before = lines[at - 1]
  return line && before ? line.baseline - before.baseline : Number.POSITIVE_INFINITY
}

function readTable(lines: Line[], above?: Line): string[] | undefined {
  const [first] = lines as [Line]
  // In a font of its own; what stands alone in it says what the rows below it are.
  const isSetApart =
    first.font !== '' &&
    lines.slice(1).every(({ font, parts }) => font !== first.font || parts.length === 1)
  const most = Math.max(...lines.map(({ parts }) => parts.length))
  if (most > MOST_COLUMNS) return undefined
  const widest = isSetApart ? first.parts.length : most
  const whole = lines.filter(({ parts }) => parts.length === widest)
  const inRows = lines.filter(({ parts }) => parts.length > 1)
  const isWidest = first.parts.length === most && most >= FEWEST_COLUMNS
  if (!isSetApart && !isWidest && whole.length < inRows.length * REGULAR) return undefined
  // A first column may be without a name.
  const named =
    most > first.parts.length ? lines.filter(({ parts }) => parts.length === most) : whole
  const columns = named[0]!.parts.map((_, i) => extentOf(named.map(({ parts }) => parts[i]!)))
  const { rows: grouped, isTight } = groupRows(lines, columns)
  const [names, ...rows] = grouped
  const header = above ? joinRows(placeOf(above, columns), names!) : names
  if (rows.length < FEWEST_ROWS - 1 || !areNames(header!)) return undefined
  if (!isSetApart && !areOverNumbers(header!, rows)) return undefined
  if (isTight && isProse(rows)) return writeColumns(header!, rows)
  const table = new HeadedTable()
  const cells = (row: Row, isHeader: boolean) =>
    row.map((text) => ({ text, isHeader, columns: 1, rows: 1 }))
  table.write(cells(header!, true))
  return rows.flatMap((row) =>
    row.filter((text) => text !== '').length === 1 ? row.join('') : table.write(cells(row, false)),
  )
}

function groupRows(lines: Line[], columns: Span[]): { rows: Row[]; isTight: boolean } {
  const { height } = lines[0]!
  const gaps = lines.map((_, i) => gapAbove(lines, i))
  const wide = gaps.slice(1).filter((gap) => gap >= height * BESIDE_GAP)
  const narrowest = Math.min(...wide)
  // Where rows stand as near to each other as lines do, only one without a first cell goes on with the row before.
  const isTight = median(wide) <= narrowest * ALIKE
  const rows: Row[] = []
  for (const [i, line] of lines.entries()) {
    const row = rows.at(-1)
    const placed = placeOf(line, columns)
    const isBelow =
      gaps[i]! <= narrowest * ALIKE &&
      (!isTight || placed.includes('')) &&
      // What has others beside it is the first line of a row in whose middle they stand.
      !(gapAbove(lines, i + 1) < height * BESIDE_GAP)
    const fits = placed.every(
      (text, column) => text === '' || (isTight ? column > 0 : row?.[column] !== ''),
    )
    const goesOn = row !== undefined && (gaps[i]! < height * BESIDE_GAP || (isBelow && fits))
    if (goesOn && !isTitleOfRows(line, row) && !isOverColumns(line, lines[0]!, columns))
      rows[rows.length - 1] = joinRows(row, placed)
    else rows.push(placed)
  }
  return { rows, isTight }
}

/** In the header's font, and too wide for a cell: what the rows below it are. */
function isOverColumns({ parts, font }: Line, header: Line, columns: Span[]): boolean {
  const [part] = parts
  if (parts.length > 1 || !part || font === '' || font !== header.font) return false
  return columns.filter((column) => sharedWidth(part, column) > 0).length > 1
}

/** In capitals, which the rows are not. */
function isTitleOfRows({ text, parts }: Line, row: Row): boolean {
  return parts.length === 1 && CAPITALS.test(text) && !CAPITALS.test(row.join(' '))
}

/** A word that was divided at the end of its line is made whole. */
function joinRows(row: Row, next: Row): Row {
  return row.map((text, column) => {
    const more = next[column]!
    const isDivided = /\p{L}{2}[-‐]$/u.test(text) && /^\p{Ll}/u.test(more)
    return isDivided ? text.slice(0, -1) + more : oneLine(`${text} ${more}`)
  })
}

/** The words of a line in their columns. What was drawn at once stands in one, and so does what shares its width with none. */
function placeOf({ parts }: Line, columns: Span[]): Row {
  const row: Row = columns.map(() => '')
  for (const part of parts) {
    let column = columnOf(part, columns)
    for (const piece of part.pieces) {
      const own = columnOf(piece, columns)
      if (sharedWidth(piece, columns[own]!) > 0) column = own
      row[column] += piece === part.pieces[0] ? ` ${piece.text}` : piece.text
    }
  }
  return row.map(oneLine)
}

/** The column that a cell shares most of its width with, or else the nearest. */
function columnOf(span: Span, columns: Span[]): number {
  const shared = columns.map((column) => sharedWidth(span, column))
  return shared.indexOf(Math.max(...shared))
}

function sharedWidth(a: Span, b: Span): number {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left)
}

/** Titled columns of sentences, whose lines stand beside each other, are no table. */
function isProse(rows: Row[]): boolean {
  const cells = rows.flat().filter((text) => text !== '')
  const goesOn = cells.filter((text) => text.length >= FEWEST_IN_PROSE && !/[.!?]$/.test(text))
  return goesOn.length >= cells.length * PROSE
}

function writeColumns(header: Row, rows: Row[]): string[] {
  return header.flatMap((title, column) => {
    const lines = rows.flatMap((row) => row[column] || [])
    return ['', ...(title === '' ? [] : [`### ${title}`, '']), lines.join(' ')]
  })
}
