import { type DocumentText, oneLine } from '../document-text.ts'

/** Cells by their column; a sheet's rows have gaps. */
export type Row = Map<number, Cell>

export interface Cell {
  text: string
  /** Words, not a number or a date. */
  isWords: boolean
  /** How many columns it stands over, when more than one. */
  span?: number
}

/** Writes a table's rows as `header: value`, so that a row can be found and understood without the rows around it. */
export class TableText {
  readonly #text: DocumentText
  #block: Row[] = []
  #header: Row | undefined

  constructor(text: DocumentText) {
    this.#text = text
  }

  /** Rows until an empty one belong together. */
  add(row: Row): void {
    const isEmpty = [...row.values()].every(({ text }) => text.trim() === '')
    if (isEmpty) this.#endBlock()
    else this.#block.push(row)
    // A long block is written as it comes, once its beginning has told where its header is.
    if (this.#block.length >= 1000) this.#writeBlock()
  }

  end(): void {
    this.#endBlock()
    this.#header = undefined
  }

  #endBlock(): void {
    this.#writeBlock()
    this.#text.endLines()
    this.#isContinued = false
  }

  #isContinued = false

  #writeBlock(): void {
    const block = this.#block
    this.#block = []
    const headerAt = this.#isContinued ? -1 : findHeader(block, this.#header)
    this.#isContinued = true
    for (const [index, row] of block.entries()) {
      if (index !== headerAt) {
        this.#writeRow(row)
        continue
      }
      this.#header = spread(row)
      if (index === block.length - 1) this.#text.row(textsOf(row))
    }
  }

  #writeRow(row: Row): void {
    const header = this.#header
    // A line of its own: a title, a note, a sum's label.
    if (!header || row.size === 1 || ![...row.keys()].some((column) => header.has(column))) {
      this.#text.row(textsOf(row))
      return
    }
    const values: string[] = []
    for (const [column, { text }] of row) {
      const value = oneLine(text)
      const name = oneLine(header.get(column)?.text ?? '')
      if (value !== '') values.push(name === '' ? value : `${name}: ${value}`)
    }
    this.#text.record(values.join(' | '))
  }
}

/** A header over several columns is the header of each. */
function spread(header: Row): Row {
  const whole: Row = new Map(header)
  for (const [column, cell] of header) {
    for (let i = 1; i < (cell.span ?? 1); i++) {
      if (!header.has(column + i)) whole.set(column + i, cell)
    }
  }
  return whole
}

function textsOf(row: Row): string[] {
  return [...row.values()].map(({ text }) => text).filter((text) => text.trim() !== '')
}

/** The first row of several cells, when all of them are words; -1 when the block goes on under the header before. */
function findHeader(block: Row[], before: Row | undefined): number {
  const at = block.findIndex(({ size }) => size > 1)
  const row = block[at]
  if (!row || ![...row.values()].every(({ isWords }) => isWords)) return -1
  const widest = Math.max(...block.map(({ size }) => size))
  if (row.size * 2 < widest) return -1
  if (!before) return at
  const isOverValues = block
    .slice(at + 1)
    .some((other) => [...row.keys()].some((column) => other.get(column)?.isWords === false))
  const fitsBefore = [...row.keys()].every((column) => before.has(column))
  return isOverValues || !fitsBefore ? at : -1
}

const NUMBER = /^[\s$€£¥+(-]*[\d.,'\s]*\d[\d.,'\s]*(?:e[+-]?\d+)?[\s%)€$£¥]*$/i
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b/

// Nobody writes a longer one, and with blanks alone it would be tried in every way.
const LONGEST_NUMBER = 100

export function cellOf(text: string): Cell {
  const isNumber = text.length <= LONGEST_NUMBER && NUMBER.test(text)
  return { text, isWords: text.trim() !== '' && !isNumber && !DATE.test(text) }
}
