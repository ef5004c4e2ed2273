import { splitColumns } from './columns.ts'
import { gatherRows, gatherRuns, readLine } from './lines.ts'
import { writeParagraphs } from './paragraphs.ts'
import { type DrawnText, type Piece, turnUpright } from './text-pieces.ts'

const BODY_SHARE = 0.7

/** The text of a page in reading order. */
export function readPage(drawn: DrawnText[]): string {
  return turnUpright(drawn)
    .flatMap((pieces) => {
      const body = { height: usualHeight(pieces), font: usualFont(pieces) }
      return splitColumns(gatherRuns(pieces)).map((runs) =>
        writeParagraphs(gatherRows(runs).map(readLine), body),
      )
    })
    .reduce((page, column) => page + betweenColumns(page, column) + column, '')
    .replaceAll('\u00AD', '')
}

/** A sentence may continue at the top of the next column. */
function betweenColumns(before: string, next: string): string {
  if (before === '') return ''
  // Tests only the end: the search would begin at every letter.
  return /[\p{L}\p{N},]$/u.test(before.slice(-2)) && /^\p{Ll}/u.test(next) ? ' ' : '\n\n'
}

/** The text height that most of the page does not exceed. Larger text stands out. */
function usualHeight(pieces: Piece[]): number {
  const bySize = pieces.toSorted((a, b) => a.height - b.height)
  const characters = bySize.reduce((sum, { text }) => sum + text.length, 0)
  let passed = 0
  for (const { text, height } of bySize) {
    passed += text.length
    if (passed >= characters * BODY_SHARE) return height
  }
  return 0
}

/** The font of most of the page; undefined if no font has that share. */
function usualFont(pieces: Piece[]): string | undefined {
  const characters = new Map<string, number>()
  let all = 0
  for (const { font, text } of pieces) {
    characters.set(font, (characters.get(font) ?? 0) + text.length)
    all += text.length
  }
  return [...characters].find(([, count]) => count >= all * BODY_SHARE)?.[0]
}
