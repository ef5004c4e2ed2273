export interface Table {
  head: string[]
  align: ('start' | 'center' | 'end')[]
  rows: string[][]
}

export function parseTable(source: string): Table {
  const [head = '', delimiters = '', ...rows] = source.split('\n')
  const columns = cellsOf(head)
  const align = cellsOf(delimiters).map((cell) => {
    if (/^:-*:$/.test(cell)) return 'center' as const
    return cell.endsWith(':') ? ('end' as const) : ('start' as const)
  })
  // Rows may have fewer or more cells than the head. Fit them to its columns.
  const fitted = rows.map((row) => {
    const cells = cellsOf(row)
    return columns.map((_, index) => cells[index] ?? '')
  })
  return { head: columns, align, rows: fitted }
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}
