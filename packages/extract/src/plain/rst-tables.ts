import { plainCell, type TableCell } from '../tables/headed-table.ts'

export const SIMPLE_BORDER = /^={2,}(?:\s+={2,})+\s*$/
export const GRID_BORDER = /^\+(?:-+\+)+\s*$/
const UNDER_SPANNING = /^-{2,}(?:\s+-{2,})*\s*$/

/** A simple table with borders of `====  ====`. Rows between the first two of three borders are the header. */
export function simpleTable(lines: readonly string[], readText: (text: string) => string) {
  const columns = [...lines[0]!.matchAll(/=+/g)].map(({ index }) => index)
  const borders = lines.flatMap((line, i) => (SIMPLE_BORDER.test(line) ? [i] : []))
  const headerEnd = borders.length > 2 ? borders[1]! : 0
  const rows: TableCell[][] = []
  for (const [i, line] of lines.entries()) {
    if (SIMPLE_BORDER.test(line) || UNDER_SPANNING.test(line) || line.trim() === '') continue
    const texts = columns.map((from, k) => readText(line.slice(from, columns[k + 1]).trim()))
    const before = rows.at(-1)
    // A row with an empty first cell continues the row above.
    if (before && texts[0] === '' && i > headerEnd) {
      for (const [k, text] of texts.entries()) before[k]!.text = `${before[k]!.text} ${text}`.trim()
    } else rows.push(texts.map((text) => plainCell(text, i < headerEnd)))
  }
  return rows
}

/** A grid table with borders of `+---+`. A border of `+===+` ends the header. */
export function gridTable(lines: readonly string[], readText: (text: string) => string) {
  const headerEnd = lines.findIndex((line) => /^\+(?:=+\+)+\s*$/.test(line))
  const rows: TableCell[][] = []
  let texts: string[] = []
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('|')) {
      const parts = line
        .replace(/^\|/, '')
        .replace(/\|\s*$/, '')
        .split('|')
      texts = parts.map((part, k) => `${texts[k] ?? ''} ${part.trim()}`.trim())
    } else if (texts.length > 0) {
      rows.push(texts.map((text) => plainCell(readText(text), i <= headerEnd)))
      texts = []
    }
  }
  return rows
}
