/** A measured figure with its reference from the same run and its limit. */
export interface Row {
  what: string
  measured: string
  /** The upper limit, or the earlier value that it grew from. */
  against: string
  /** The figure that `bar` applies to. Undefined without a bar. */
  value?: number
  bar?: { atLeast: number } | { atMost: number }
}

/** The size of a run: a quick overview, or reliable figures. */
export interface Form {
  isFull: boolean
}

export type Bench = (form: Form) => AsyncGenerator<Row>

export function holds({ value, bar }: Row): boolean | undefined {
  if (value === undefined || bar === undefined) return undefined
  return 'atLeast' in bar ? value >= bar.atLeast : value <= bar.atMost
}

export const HEAD =
  '| area | what | measured | reference | ratio or value | limit |\n|---|---|---|---|---|---|'

export function toLine(area: string, row: Row): string {
  const { what, measured, against, value, bar } = row
  const sign = bar && ('atLeast' in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`)
  const mark = holds(row) === false ? ' ✗' : ''
  const shown = value === undefined ? '' : String(Math.round(value * 100) / 100)
  return `| ${area} | ${what} | ${measured} | ${against} | ${shown}${mark} | ${sign ?? ''} |`
}

/** Replaces the rows of the measured areas in a page's table. Keeps the rows of other areas. */
export function replaceRows(
  page: string,
  areas: string[],
  measured: Map<string, string[]>,
): string {
  const [before = '', table = '', after = ''] = page.split(/<!-- table -->\n|<!-- end -->/)
  const rowsOf = (area: string) =>
    measured.get(area) ?? table.split('\n').filter((line) => line.startsWith(`| ${area} |`))
  const rows = [HEAD, ...areas.flatMap(rowsOf)].join('\n')
  return `${before}<!-- table -->\n${rows}\n<!-- end -->${after}`
}

export function median(values: number[]): number {
  return shareOf(values, 0.5)
}

export function shareOf(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)]!
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString('en')}/s`
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`
}
