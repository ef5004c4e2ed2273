import { readFileSync } from 'node:fs'
import { decodeText } from '@docent/extract/detect/decode-text.ts'
import { detectDelimiter, parseRows } from '@docent/extract/tables/csv.ts'
import { UsageError } from '../command.ts'

/** Reads the rows of a CSV file by the lowercase names in its first row. Rejects a damaged file. */
export function readTable(file: string): { columns: string[]; rows: Record<string, string>[] } {
  const text = decodeText(readFileSync(file)).trimEnd()
  if ((text.match(/"/g)?.length ?? 0) % 2 === 1) {
    throw new UsageError(`${file} is damaged: a quotation mark is not closed.`)
  }
  const [head = [], ...body] = [...parseRows(text, detectDelimiter(text))]
  const columns = head.map((name) => name.trim().toLowerCase())
  const rows = body.flatMap((cells, index) => {
    if (cells.length === 0) return []
    if (cells.length !== columns.length) {
      throw new UsageError(
        `${file} is damaged: row ${index + 2} has ${cells.length} cells, but the first row has ${columns.length}.`,
      )
    }
    return [Object.fromEntries(columns.map((name, column) => [name, cells[column]!.trim()]))]
  })
  return { columns, rows }
}
