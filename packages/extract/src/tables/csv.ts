import { DocumentText } from '../document-text.ts'
import type { ExtractedText } from '../web/html.ts'
import { cellOf, TableText } from './table-text.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** Reads rows under their header. Detects the delimiter, and accepts quotes as in RFC 4180 or slightly malformed. */
export function extractCsv(csv: string): ExtractedText {
  const text = new DocumentText()
  const table = new TableText(text)
  // Excel names the delimiter this way.
  const named = /^sep=(.)\n/i.exec(csv)
  const body = named ? csv.slice(named[0].length) : csv
  for (const cells of parseRows(body, named?.[1] ?? detectDelimiter(body))) {
    table.add(new Map(cells.map((cell, column) => [column, cellOf(cell)])))
  }
  table.end()
  return { title: '', text: text.toString() }
}

/** Picks the delimiter that gives the first rows equal cell counts, and prefers more cells. */
export function detectDelimiter(csv: string): string {
  const sample = csv.slice(0, 20_000)
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of DELIMITERS) {
    const widths: number[] = []
    for (const { length } of parseRows(sample, delimiter)) {
      if (length > 0 && widths.push(length) === 50) break
    }
    const first = widths[0] ?? 1
    const alike = widths.filter((width) => width === first).length / Math.max(widths.length, 1)
    const score = first > 1 ? alike * 100 + Math.min(first, 50) : 0
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

export function* parseRows(csv: string, delimiter: string): Generator<string[]> {
  const ends = new RegExp(`[\\n${delimiter === '|' ? '\\|' : delimiter}]`, 'g')
  let cells: string[] = []
  let at = 0
  while (at <= csv.length) {
    let cell = ''
    if (csv[at] === '"') {
      const end = endOfQuoted(csv, at + 1)
      cell = csv.slice(at + 1, end).replaceAll('""', '"')
      at = Math.min(end + 1, csv.length)
    }
    ends.lastIndex = at
    const end = ends.exec(csv)?.index ?? csv.length
    // Text after a closing quote belongs to the cell: the quote did not end it.
    cell += csv.slice(at, end)
    cells.push(cell)
    if (csv[end] !== delimiter) {
      yield cells.length === 1 && cell === '' ? [] : cells
      cells = []
    }
    at = end + 1
  }
}

function endOfQuoted(csv: string, from: number): number {
  let at = csv.indexOf('"', from)
  while (at !== -1 && csv[at + 1] === '"') at = csv.indexOf('"', at + 2)
  return at === -1 ? csv.length : at
}
