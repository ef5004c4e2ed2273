import type { Piece } from './text-pieces.ts'

/** Pieces on one line without a wide gap. */
export interface Run {
  pieces: Piece[]
  left: number
  right: number
  baseline: number
  height: number
  characters: number
}

/** A part of a line without gaps wider than a word space. In a table, it may be a cell. */
export interface LinePart {
  left: number
  right: number
  /** Each piece's text includes the separator before it. */
  pieces: { text: string; left: number; right: number }[]
}

export interface Line {
  text: string
  parts: LinePart[]
  /** How many parts have wide gaps between them. More than one marks a table row. */
  cells: number
  isRtl: boolean
  left: number
  right: number
  baseline: number
  height: number
  /** Empty if the line has several fonts. */
  font: string
}

// In letter heights.
const COLUMN_GAP = 0.9
const CELL_GAP = 1.5
const PART_GAP = 0.65
const WORD_GAP = 0.15
const IDEOGRAPH_GAP = 0.8
// A justified line: how many gaps it has at least, their largest width, its most words, and how much gaps may differ.
const STRETCHED_GAPS = 2
const WIDEST_STRETCHED = 3
const MOST_WORDS = 100
const ALIKE = 1.15

const RTL = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/g
const LETTERS = /[\p{L}\p{N}]/gu
export const IDEOGRAPH =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]/u
const IDEOGRAPHS = new RegExp(IDEOGRAPH, 'gu')

/** Joins pieces that were drawn in sequence and stand side by side. */
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

/** Groups runs into lines, from top to bottom. */
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

/** A loop, because a hostile page has more pieces than a function takes arguments. */
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

/** An ideograph counts as two letters. */
function weigh(text: string): number {
  return text.length + (text.match(IDEOGRAPHS)?.length ?? 0)
}

type Placed = Pick<Piece, 'left' | 'right' | 'baseline' | 'height'>

/** Also accepts raised or lowered text, such as the number of a footnote. */
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

/** Sorts by the direction of the line, then reverses text that runs against it. */
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

/** Whether a line of single words was stretched to the width of its column. All gaps are alike then. */
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
