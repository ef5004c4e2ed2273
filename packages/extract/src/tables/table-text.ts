import { type DocumentText, oneLine } from '../document-text.ts'

/** Cells by column. Rows of a sheet have gaps. */
export type Row = Map<number, Cell>

export interface Cell {
  text: string
  /** False for numbers and dates. */
  isWords: boolean
  /** The number of columns, if more than one. */
  span?: number
}

/** Writes table rows as `header: value`, so that each row can be found and understood alone. */
export class TableText {
  readonly #text: DocumentText
  #block: Row[] = []
  #header: Row | undefined

  constructor(text: DocumentText) {
    this.#text = text
  }

  /** An empty row ends a block. */
  add(row: Row): void {
    const isEmpty = [...row.values()].every(({ text }) => text.trim() === '')
    if (isEmpty) this.#endBlock()
    else this.#block.push(row)
    // Write long blocks in parts. The first part is enough to find the header.
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
    // A separate line, for example a title, a note or the label of a sum.
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

/** A header over several columns applies to each of them. */
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

/** The first row with several cells if all are words. -1 if the block continues under the previous header. */
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

// Real numbers are shorter. On long whitespace, the regular expression would backtrack too much.
const LONGEST_NUMBER = 100

export function cellOf(text: string): Cell {
  const isNumber = text.length <= LONGEST_NUMBER && NUMBER.test(text)
  return { text, isWords: text.trim() !== '' && !isNumber && !DATE.test(text) }
}
