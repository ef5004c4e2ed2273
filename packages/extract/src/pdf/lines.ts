import type { Piece } from './text-pieces.ts'

/** A run of pieces on one line without a wide gap. */
export interface Run {
  pieces: Piece[]
  left: number
  right: number
  baseline: number
  height: number
  characters: number
}

/** What stands on a line without a gap in it that is wider than one between words: in a table, it may be a cell. */
export interface LinePart {
  left: number
  right: number
  /** As they were drawn, with what stands between them. */
  pieces: { text: string; left: number; right: number }[]
}

export interface Line {
  text: string
  parts: LinePart[]
  /** Parts of it with wide gaps between them; more than one is the row of a table. */
  cells: number
  /** Written from the right. */
  isRtl: boolean
  left: number
  right: number
  baseline: number
  height: number
  /** Empty where it has several. */
  font: string
}

// In heights of the letters.
const COLUMN_GAP = 0.9
const CELL_GAP = 1.5
const PART_GAP = 0.65
const WORD_GAP = 0.15
const IDEOGRAPH_GAP = 0.8
// Of a stretched line: how many gaps say so, how wide they are, and how much they differ.
const STRETCHED_GAPS = 2
const WIDEST_STRETCHED = 3
const MOST_WORDS = 100
const ALIKE = 1.15

const RTL = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g
const LETTERS = /[\p{L}\p{N}]/gu
export const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u
const IDEOGRAPHS = new RegExp(IDEOGRAPH, 'gu')

/** Joins what was drawn one after the other and stands side by side. */
export function gatherRuns(pieces: Piece[]): Run[] {
  const runs: Run[] = []
  for (const piece of pieces) {
    const run = runs.at(-1)
    if (run && isOneLine(run, piece) && gapBetween(run, piece) < piece.height * COLUMN_GAP) {
      extend(run, piece)
    } else runs.push(asRun(piece))
  }
  return runs
}

/** Runs that stand on one line, the lines from top to bottom. */
export function gatherRows(runs: Run[]): Run[][] {
  const rows: { tallest: Run; runs: Run[] }[] = []
  for (const run of runs.toSorted((a, b) => a.baseline - b.baseline)) {
    const row = rows.at(-1)
    if (row && isOneLine(row.tallest, run)) {
      row.runs.push(run)
      if (run.height > row.tallest.height) row.tallest = run
    } else rows.push({ tallest: run, runs: [run] })
  }
  return rows.map((row) => row.runs)
}

export function readLine(row: Run[]): Line {
  const pieces = row.flatMap((run) => run.pieces)
  const isRtl = isWrittenFromRight(pieces.map(({ text }) => text).join(''))
  const ordered = inReadingOrder(pieces, isRtl)
  const tallest = row.reduce((a, b) => (b.characters > a.characters ? b : a))
  let text = ''
  let cells = 1
  const parts: LinePart[] = []
  const isStretched = isJustified(ordered)
  for (const [i, piece] of ordered.entries()) {
    const previous = ordered[i - 1]
    const wide = previous ? separatorBetween(previous, piece) : ''
    const separator = wide === '\t' && isStretched ? ' ' : wide
    if (separator === '\t') cells += 1
    text += separator + piece.text
    const part = parts.at(-1)
    const isPart = !isStretched && previous && gapBetween(previous, piece) > piece.height * PART_GAP
    const { left, right } = piece
    if (!part || isPart) {
      parts.push({ left, right, pieces: [{ text: piece.text, left, right }] })
    } else {
      part.pieces.push({ text: separator + piece.text, left, right })
      part.left = Math.min(part.left, left)
      part.right = Math.max(part.right, right)
    }
  }
  return {
    text: text.replace(/ {2,}/g, ' ').trim(),
    parts,
    cells,
    isRtl,
    ...extentOf(row),
    baseline: tallest.baseline,
    height: tallest.height,
    font: pieces.every(({ font }) => font === pieces[0]!.font) ? pieces[0]!.font : '',
  }
}

/** By a loop: a hostile page has more pieces than a function takes arguments. */
export function extentOf(placed: { left: number; right: number }[]) {
  let left = Number.POSITIVE_INFINITY
  let right = Number.NEGATIVE_INFINITY
  for (const each of placed) {
    left = Math.min(left, each.left)
    right = Math.max(right, each.right)
  }
  return { left, right }
}

function asRun(piece: Piece): Run {
  const { left, right, baseline, height, text } = piece
  return { pieces: [piece], left, right, baseline, height, characters: weigh(text) }
}

function extend(run: Run, piece: Piece): void {
  run.pieces.push(piece)
  run.left = Math.min(run.left, piece.left)
  run.right = Math.max(run.right, piece.right)
  run.characters += weigh(piece.text)
  if (piece.height <= run.height) return
  run.height = piece.height
  run.baseline = piece.baseline
}

/** An ideograph says as much as two letters. */
function weigh(text: string): number {
  return text.length + (text.match(IDEOGRAPHS)?.length ?? 0)
}

type Placed = Pick<Piece, 'left' | 'right' | 'baseline' | 'height'>

/** Also for what is set higher or lower, such as the number of a footnote. */
function isOneLine(a: Placed, b: Placed): boolean {
  const top = Math.max(a.baseline - a.height * 0.8, b.baseline - b.height * 0.8)
  const bottom = Math.min(a.baseline + a.height * 0.2, b.baseline + b.height * 0.2)
  return bottom - top >= Math.min(a.height, b.height) * 0.5
}

function gapBetween(a: Placed, b: Placed): number {
  return Math.max(b.left - a.right, a.left - b.right)
}

function isWrittenFromRight(text: string): boolean {
  const fromRight = text.match(RTL)?.length ?? 0
  return fromRight > 0 && fromRight * 2 > (text.match(LETTERS)?.length ?? 0)
}

/** By the direction of the line; what is written against it is turned around once more. */
function inReadingOrder(pieces: Piece[], isRtl: boolean): Piece[] {
  const ordered = pieces.toSorted((a, b) => (isRtl ? b.right - a.right : a.left - b.left))
  const turned: Piece[] = []
  const against: Piece[] = []
  for (const piece of ordered) {
    const isAgainst = piece.text.search(RTL) >= 0 !== isRtl && isWord(piece)
    if (!isAgainst) turned.push(...against.splice(0).reverse())
    if (isAgainst) against.push(piece)
    else turned.push(piece)
  }
  return [...turned, ...against.reverse()]
}

/** Whether a line of single words was stretched to the width of its column: then all gaps are alike. */
export function isJustified(pieces: Piece[]): boolean {
  const words = pieces.filter(isWord)
  if (words.length > MOST_WORDS || words.some(({ text }) => /\S\s\S/.test(text))) return false
  const gaps = words.slice(1).map((piece, i) => gapBetween(words[i]!, piece))
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)]
  const isNarrow = gaps.length >= STRETCHED_GAPS && most <= words[0]!.height * WIDEST_STRETCHED
  return isNarrow && least > 0 && most <= least * ALIKE
}

function separatorBetween(a: Piece, b: Piece): '' | ' ' | '\t' {
  const height = Math.max(a.height, b.height)
  const gap = gapBetween(a, b)
  if (gap > height * CELL_GAP) return '\t'
  const areIdeographs = IDEOGRAPH.test(a.text.at(-1)!) && IDEOGRAPH.test(b.text[0]!)
  if (areIdeographs && gap < height * IDEOGRAPH_GAP) return ''
  const isTurn = a.text.search(RTL) >= 0 !== b.text.search(RTL) >= 0 && isWord(a) && isWord(b)
  return b.spaced || isTurn || gap > height * WORD_GAP ? ' ' : ''
}

function isWord({ text }: Piece): boolean {
  return text.search(LETTERS) >= 0
}
