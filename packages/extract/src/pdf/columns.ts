import { extentOf, gatherRows, isJustified, type Run } from './lines.ts'

interface Zone {
  left: Run[]
  right: Run[]
  /** Runs that cross the gutter. */
  across: Run[]
}

const MIN_CHARACTERS = 12
const MIN_FILL = 0.6
const MIN_ROWS = 3
const MIN_ROWS_BY_CHANCE = 5
// ON_ONE_LINE, CLOSE and PLACE are in letter heights.
const ON_ONE_LINE = 0.15
const CLOSE = 1.6
const BY_CHANCE = 0.6
const CLOSE_SHARE = 0.4
const PLACE = 0.2
const MIN_SCATTERED = 8
const MOST_IN_PLACE = 0.4

/**
 * Splits a page into columns in reading order. Columns hold prose that fills their width, or lines that are unrelated
 * to those beside them. Table cells stand side by side, too, but are short and on one line. They stay together and are
 * read row by row.
 */
export function splitColumns(runs: Run[]): Run[][] {
  let best: { zones: Zone[]; inColumns: number; level: number } | undefined
  for (const gutter of findGutters(runs)) {
    const zones = cutAt(runs, gutter)
    const inColumns = zones.reduce((sum, { left, right }) => sum + left.length + right.length, 0)
    if (inColumns === 0 || inColumns < (best?.inColumns ?? 0)) continue
    // A name and its price have a gap between them, too, so prefer the gutter with fewer aligned lines.
    const level = zones.reduce(
      (sum, { left, right }) => sum + countLevel(linesOf(left), linesOf(right)),
      0,
    )
    if (inColumns > (best?.inColumns ?? 0) || level < best!.level)
      best = { zones, inColumns, level }
  }
  if (!best) return [runs]
  return best.zones.flatMap(({ left, right, across }) =>
    [across, left, right].filter((part) => part.length > 0).flatMap(splitColumns),
  )
}

/** Positions that few lines cross. */
function findGutters(runs: Run[]): number[] {
  if (runs.length < 2 * MIN_ROWS) return []
  const extent = extentOf(runs)
  const start = Math.floor(extent.left)
  const end = Math.ceil(extent.right)
  // A page is some hundred points wide. A width of a million points is no real layout.
  if (end - start > 10_000) return []
  const crossings = new Array<number>(end - start + 1).fill(0)
  for (const { left, right } of runs) {
    for (let x = Math.ceil(left); x < right; x++) crossings[x - start]! += 1
  }
  const few = Math.max(...crossings) * 0.3
  const gutters: number[] = []
  let from: number | undefined
  for (const [x, count] of crossings.entries()) {
    if (count <= few) from ??= x
    else if (from !== undefined) {
      if (from > 0) gutters.push(start + leastCrossed(crossings, from, x))
      from = undefined
    }
  }
  return gutters
}

function leastCrossed(crossings: number[], from: number, to: number): number {
  const within = crossings.slice(from, to)
  const least = Math.min(...within)
  const first = within.indexOf(least)
  let last = first
  while (within[last + 1] === least) last += 1
  return from + (first + last) / 2
}

/**
 * Splits the page from top to bottom into zones of two columns, with the runs across the gutter between them. Empty if
 * no zone is prose.
 */
function cutAt(runs: Run[], gutter: number): Zone[] {
  const zones: Zone[] = [{ left: [], right: [], across: [] }]
  for (const run of runs.toSorted((a, b) => a.baseline - b.baseline)) {
    let zone = zones.at(-1)!
    const isAcross = run.left < gutter && run.right > gutter
    if (isAcross && zone.left.length + zone.right.length > 0) {
      zone = { left: [], right: [], across: [] }
      zones.push(zone)
    }
    if (isAcross) zone.across.push(run)
    else if (run.right <= gutter) zone.left.push(run)
    else zone.right.push(run)
  }
  const inTwo = zones.filter(({ left, right }) => left.length > 0 && right.length > 0)
  const [left, right] = [inTwo.flatMap((zone) => zone.left), inTwo.flatMap((zone) => zone.right)]
  const areColumns = (isProse(left) && isProse(right)) || areIndependent(left, right)
  return areColumns ? joinRows(zones) : []
}

/** Zones that are not two columns of prose are read line by line and merged with adjacent zones of that kind. */
function joinRows(zones: Zone[]): Zone[] {
  const joined: Zone[] = []
  for (const { left, right, across } of zones) {
    const inColumns = left.length > 0 && right.length > 0 && !isTable(left, right)
    const rows = inColumns ? across : [...across, ...left, ...right]
    const before = joined.at(-1)
    if (before && before.left.length === 0) before.across.push(...rows)
    else joined.push({ left: [], right: [], across: rows })
    if (inColumns) Object.assign(joined.at(-1)!, { left, right })
  }
  return joined
}

function isTable(left: Run[], right: Run[]): boolean {
  const isLong = gatherRows(left).length >= MIN_ROWS && gatherRows(right).length >= MIN_ROWS
  return isLong && !isProse(left) && !isProse(right) && !areIndependent(left, right)
}

/**
 * Whether the lines of both sides follow each other closely and are aligned only by chance, as in a menu or a box
 * beside a text. In a table, neighboring cells share a line, or short cells have space around them.
 */
function areIndependent(left: Run[], right: Run[]): boolean {
  const [some, others] = [linesOf(left), linesOf(right)].toSorted(
    (a, b) => a.length - b.length,
  ) as [Run[], Run[]]
  if (some.length < MIN_ROWS_BY_CHANCE) return false
  if (countLevel(some, others) > some.length * BY_CHANCE) return false
  return (isClose(some) && isClose(others)) || areScattered(some, others)
}

/**
 * Whether lines stand at varying heights beside those of the other side. In a table, a line may stand midway between
 * two others, but then most of its lines do.
 */
function areScattered(some: Run[], others: Run[]): boolean {
  if (some.length < MIN_SCATTERED) return false
  const places = new Map<number, number>()
  let next = 0
  for (const { baseline, height } of some) {
    while (next < others.length - 1 && others[next + 1]!.baseline <= baseline) next += 1
    const place = Math.round((baseline - others[next]!.baseline) / (height * PLACE))
    places.set(place, (places.get(place) ?? 0) + 1)
  }
  return [...places.values()].every((count) => count <= some.length * MOST_IN_PLACE)
}

/** Counts the lines of one side that are level with a line of the other. */
function countLevel(some: Run[], others: Run[]): number {
  let next = 0
  return some.filter(({ baseline, height }) => {
    while (next < others.length && others[next]!.baseline < baseline - height * ON_ONE_LINE)
      next += 1
    return next < others.length && others[next]!.baseline <= baseline + height * ON_ONE_LINE
  }).length
}

/** Represents each line by its first run. */
function linesOf(runs: Run[]): Run[] {
  return gatherRows(runs).map((row) => row[0]!)
}

function isClose(rows: Run[]): boolean {
  const close = rows.filter((row, i) => {
    const next = rows[i + 1]
    return next && next.baseline - row.baseline <= Math.max(row.height, next.height) * CLOSE
  })
  return close.length >= rows.length * CLOSE_SHARE
}

function isProse(runs: Run[]): boolean {
  const rows = gatherRows(runs)
  if (rows.length < MIN_ROWS) return false
  const characters = runs.reduce((sum, run) => sum + run.characters, 0)
  const parts = rows.reduce(
    (sum, row) => sum + (isJustified(row.flatMap(({ pieces }) => pieces)) ? 1 : row.length),
    0,
  )
  if (characters / parts < MIN_CHARACTERS) return false
  const { left, right } = extentOf(runs)
  const width = right - left
  const fills = rows.map((row) => row.reduce((sum, run) => sum + run.right - run.left, 0) / width)
  return median(fills) >= MIN_FILL
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
