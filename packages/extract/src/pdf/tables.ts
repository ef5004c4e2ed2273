import { oneLine } from '../document-text.ts'
import { areNames, areOverNumbers, HeadedTable, plainCell } from '../tables/headed-table.ts'
import { median } from './columns.ts'
import { extentOf, type Line } from './lines.ts'

export interface PdfTable {
  /** The range of lines that the table was read from. `to` is exclusive. */
  from: number
  to: number
  rows: string[]
}

interface Span {
  left: number
  right: number
}

/** The words of each column. A row may be set on several lines. */
type Row = string[]

// Largest vertical gaps, in letter heights: between rows, between lines of a cell, and between cells of one row.
const ROW_GAP = 3
const LINE_GAP = 1.5
const BESIDE_GAP = 0.9
// Gaps up to this multiple of the narrowest gap separate lines of one cell only.
const ALIKE = 1.1
const FEWEST_ROWS = 3
const MOST_LINES = 1_000
// Larger text is a heading.
const LARGER = 1.15
// A first row with this many cells is a header even if most rows have fewer, as in a timetable.
const FEWEST_COLUMNS = 4
const FEWEST_IN_PROSE = 28
const PROSE = 0.5
const MOST_TRIES = 3
const MOST_COLUMNS = 50
// The share of lines that must have as many cells as the widest line, unless the header has its own font.
const REGULAR = 0.4
// The share of a table's width. A wider line is a paragraph below the table, not a cell.
const WIDEST_CELL = 0.8
const WIDER = 2
const CAPITALS = /^[^\p{Ll}]*\p{Lu}{3}[^\p{Ll}]*$/u

/** Finds tables in a column of text whose first row names the cells below it. */
export function findTables(lines: Line[]): PdfTable[] {
  const tables: PdfTable[] = []
  let tries = 0
  for (let from = 0; from < lines.length; from++) {
    if (lines[from]!.cells < 2 || lines[from]!.isRtl) continue
    const to = endOf(lines, from)
    const isAbove = from > (tables.at(-1)?.to ?? 0) && isHeaderAbove(lines, from)
    const rows = readTable(lines.slice(from, to), isAbove ? lines[from - 1] : undefined)
    if (rows) tables.push({ from: isAbove ? from - 1 : from, to, rows })
    // A line above the header may look like a row of the table, too.
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
    // A single part belongs to a cell, beside others or below them, or it is a title of the rows below it.
    const isBeside = Math.min(gap, gapAbove(lines, end + 1)) < height * BESIDE_GAP
    const isNarrow = line.right - line.left < (right - left) * WIDEST_CELL
    const isTitle = line.font === font && font !== ''
    const isAbove = (lines[end + 1]?.parts.length ?? 0) > 1
    const isCell = isTitle ? isAbove : gap < height * LINE_GAP
    if (!isBeside && !(isNarrow && isCell)) break
  }
  return end
}

/** Whether the line above belongs to the header, because one header cell has more lines than the others. */
function isHeaderAbove(lines: Line[], at: number): boolean {
  const [above, line] = [lines[at - 1]!, lines[at]!]
  const isNear = gapAbove(lines, at) < line.height * LINE_GAP
  const isOver = line.parts.some((part) => sharedWidth(part, above) > 0 && !isWider(above, part))
  return (
    isNear && above.parts.length === 1 && line.font !== '' && above.font === line.font && isOver
  )
}

/** Two centered cells may differ in width up to this factor. */
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
  // The header has its own font. A single part in that font is a title of the rows below it.
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
  // The first column may have no name.
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
  table.write(header!.map((text) => plainCell(text, true)))
  return rows.flatMap((row) =>
    row.filter((text) => text !== '').length === 1
      ? row.join('')
      : table.write(row.map((text) => plainCell(text))),
  )
}

function groupRows(lines: Line[], columns: Span[]): { rows: Row[]; isTight: boolean } {
  const { height } = lines[0]!
  const gaps = lines.map((_, i) => gapAbove(lines, i))
  const wide = gaps.slice(1).filter((gap) => gap >= height * BESIDE_GAP)
  const narrowest = Math.min(...wide)
  // If rows are as close to each other as lines, only a line without a first cell continues the row.
  const isTight = median(wide) <= narrowest * ALIKE
  const rows: Row[] = []
  for (const [i, line] of lines.entries()) {
    const row = rows.at(-1)
    const placed = placeOf(line, columns)
    const isBelow =
      gaps[i]! <= narrowest * ALIKE &&
      (!isTight || placed.includes('')) &&
      // If the next line overlaps this one, this line begins a row in whose middle the next one stands.
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

/** A part in the header's font that is too wide for a cell is a title of the rows below it. */
function isOverColumns({ parts, font }: Line, header: Line, columns: Span[]): boolean {
  const [part] = parts
  if (parts.length > 1 || !part || font === '' || font !== header.font) return false
  return columns.filter((column) => sharedWidth(part, column) > 0).length > 1
}

/** A line in capitals is a title if the rows are not in capitals. */
function isTitleOfRows({ text, parts }: Line, row: Row): boolean {
  return parts.length === 1 && CAPITALS.test(text) && !CAPITALS.test(row.join(' '))
}

/** Joins a word that was hyphenated at the end of its line. */
function joinRows(row: Row, next: Row): Row {
  return row.map((text, column) => {
    const more = next[column]!
    const isDivided = /\p{L}{2}[-‐]$/u.test(text) && /^\p{Ll}/u.test(more)
    return isDivided ? text.slice(0, -1) + more : oneLine(`${text} ${more}`)
  })
}

/** Assigns the pieces of a line to columns. A piece that overlaps no column stays with the piece before it. */
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

/** The column with the largest overlap, or else the nearest one. */
function columnOf(span: Span, columns: Span[]): number {
  const shared = columns.map((column) => sharedWidth(span, column))
  return shared.indexOf(Math.max(...shared))
}

function sharedWidth(a: Span, b: Span): number {
  return Math.min(a.right, b.right) - Math.max(a.left, b.left)
}

/** Columns of sentences under titles, set side by side, are not a table. */
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
