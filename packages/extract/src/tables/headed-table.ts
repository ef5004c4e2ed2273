import { type DocumentText, oneLine } from '../document-text.ts'

export interface TableCell {
  text: string
  isHeader: boolean
  columns: number
  rows: number
}

export function plainCell(text: string, isHeader = false): TableCell {
  return { text, isHeader, columns: 1, rows: 1 }
}

/** Writes table rows as `header: value` if the headers are known, so that each row makes sense alone. */
export class HeadedTable {
  /** The header of each column. Undefined before the first header row. */
  #header: string[] | undefined
  #isHeaderUsed = true
  /** Cells with a rowspan into the next rows, by column. */
  readonly #held = new Map<number, TableCell>()

  /** Returns the lines of a row. A header row has none. */
  write(row: TableCell[]): string[] {
    const cells = this.#spread(row)
    const named = row.filter(({ text }) => text !== '')
    if (named.length > 1 && named.every(({ isHeader }) => isHeader)) {
      this.#addHeader(cells)
      return []
    }
    const lines = named.length > 0 ? [this.#writeRow(cells)] : []
    this.#isHeaderUsed ||= lines.length > 0
    return lines
  }

  /** A header without rows is written as a row. */
  end(): string[] {
    return this.#isHeaderUsed || !this.#header ? [] : [joined(this.#header)]
  }

  /** Puts each cell into its column, with the cells that span from rows above. */
  #spread(row: TableCell[]): (TableCell | undefined)[] {
    const cells: (TableCell | undefined)[] = []
    const takeHeld = () => {
      for (let held = this.#held.get(cells.length); held; held = this.#held.get(cells.length)) {
        if (held.rows > 1) this.#held.set(cells.length, { ...held, rows: held.rows - 1 })
        else this.#held.delete(cells.length)
        cells.push(held)
      }
    }
    for (const cell of row) {
      takeHeld()
      if (cell.rows > 1) this.#held.set(cells.length, { ...cell, columns: 1, rows: cell.rows - 1 })
      cells.push(cell)
      for (let i = 1; i < cell.columns; i++) cells.push(undefined)
    }
    takeHeld()
    return cells
  }

  /** Each column joins the names of stacked headers. */
  #addHeader(cells: (TableCell | undefined)[]): void {
    const above = this.#isHeaderUsed ? [] : (this.#header ?? [])
    let last: TableCell | undefined
    this.#header = cells.map((cell, column) => {
      last = cell ?? last
      const name = last?.text ?? ''
      const before = above[column] ?? ''
      return before === '' || before === name ? name : `${before} ${name}`.trim()
    })
    this.#isHeaderUsed = false
  }

  #writeRow(cells: (TableCell | undefined)[]): string {
    const [first, ...rest] = cells
    if (this.#header) {
      const values = cells.flatMap((cell, column) => {
        if (!cell || cell.text === '') return []
        const name = cell.columns > 1 ? '' : (this.#header![column] ?? '')
        return name === '' || name === cell.text ? cell.text : `${name}: ${cell.text}`
      })
      return values.join(' | ')
    }
    const isNamed = first?.isHeader && first.text !== '' && !rest.some((cell) => cell?.isHeader)
    if (!isNamed) return joined(cells.map((cell) => cell?.text ?? ''))
    const values = joined(rest.map((cell) => cell?.text ?? ''))
    return values === '' ? first.text : `${first.text.replace(/:$/, '')}: ${values}`
  }
}

function joined(cells: string[]): string {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1).join(' | ')
}

const FEWEST_ROWS = 3
// The width of a timetable.
const FEWEST_COLUMNS = 4

/** Detects an unmarked header: a first row of names, above at least one column of numbers only. */
export function markHeader(rows: TableCell[][]): TableCell[][] {
  const [first = [], ...others] = rows
  const isSaid = rows.some((row) => row.some(({ isHeader }) => isHeader))
  if (isSaid || rows.length < FEWEST_ROWS || first.length < 2) return rows
  const [names = [], ...values] = rows.map((row) => row.map(({ text }) => text))
  if (!areNames(names) || !areOverNumbers(names, values)) return rows
  return [first.map((cell) => ({ ...cell, isHeader: true })), ...others]
}

/** Names are distinct. Only the first column may lack a name. */
export function areNames(names: string[]): boolean {
  const named = names.filter((name) => name !== '')
  const areAll = named.length >= 2 && named.length >= names.length - 1
  return areAll && new Set(named).size === named.length
}

/**
 * Names have no digits and stand above at least one column of numbers only. The first column counts only in wide
 * tables.
 */
export function areOverNumbers(names: string[], rows: string[][]): boolean {
  const hasNumber = (text: string) => /\d/.test(text)
  const isOver = (column: number) =>
    (column > 0 || names.length >= FEWEST_COLUMNS) &&
    rows.every((row) => !row[column] || hasNumber(row[column])) &&
    rows.some((row) => row[column])
  return !names.some(hasNumber) && names.some((_, column) => isOver(column))
}

/** Writes a table whose cells span nothing. Its first rows may be headers. */
export function writeRows(text: DocumentText, rows: string[][], headers = 0): void {
  writeTable(
    text,
    rows.map((row, i) => row.map((cell) => plainCell(cell, i < headers))),
  )
}

export function writeTable(text: DocumentText, rows: TableCell[][]): void {
  const table = new HeadedTable()
  text.endLines()
  const cells = rows.map((row) => row.map((cell) => ({ ...cell, text: oneLine(cell.text) })))
  const lines = markHeader(cells).flatMap((row) => table.write(row))
  for (const line of [...lines, ...table.end()]) text.record(line)
  text.endLines()
}
