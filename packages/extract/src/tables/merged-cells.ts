import type { Cell, Row } from './table-text.ts'

// A header does not span more columns or rows.
const MOST_COLUMNS = 100
const MOST_ROWS = 500

/** The merged cells of a sheet. They apply to their columns and to the rows below, too. */
export class MergedCells {
  readonly #merges = new Map<string, { columns: number; lastRow: number }>()
  readonly #hanging = new Map<number, { cell: Cell; lastRow: number }>()

  add([top, bottom]: [number, number], [left, right]: [number, number]): void {
    this.#merges.set(`${top}:${left}`, {
      columns: Math.min(right - left + 1, MOST_COLUMNS),
      lastRow: Math.min(bottom, top + MOST_ROWS),
    })
  }

  /** Returns a row with its columns in order and the cells that span from above. Expects rows from top to bottom. */
  complete(number: number, row: Row): Row {
    const cells: Row = new Map(row)
    for (const [column, cell] of row) {
      const merge = this.#merges.get(`${number}:${column}`)
      if (!merge) continue
      const spanning = { ...cell, span: merge.columns }
      cells.set(column, spanning)
      if (merge.lastRow > number) {
        this.#hanging.set(column, { cell: spanning, lastRow: merge.lastRow })
      }
    }
    for (const [column, { cell, lastRow }] of this.#hanging) {
      if (lastRow < number) this.#hanging.delete(column)
      else if (row.size > 0 && !cells.has(column)) cells.set(column, cell)
    }
    return new Map([...cells].sort(([a], [b]) => a - b))
  }
}
