import type { Piece } from './find-quotes.ts'
import { isOnlyDrawn } from './markdown/split-blocks.ts'

interface Stretch {
  text: string
  isCode: boolean
}

const FENCE = /^\s*(```|~~~)/
const ROW = /^[ \t]*\|(.*)\|[ \t]*$/m

/**
 * A passage or an answer without the marks of Markdown, which say nothing where they are not drawn: of headings, bold
 * words, tables and code. Its words stay as they are, and so does code, where the same signs mean something else. The
 * last stretch, which may be empty, tells whether what follows is code.
 */
export function readPassage(text: string, isCode = false): [...Stretch[], Stretch] {
  const read: Stretch[] = []
  let last: Stretch = { text: '', isCode }
  for (const line of text.split(/(?<=\n)/)) {
    if (FENCE.test(line)) {
      read.push(last)
      last = { text: '', isCode: !last.isCode }
    } else last.text += last.isCode ? line : withoutMarks(line)
  }
  return [...read, last]
}

export function textOf(stretches: Stretch[]): string {
  return stretches.map(({ text }) => text).join('')
}

/** The pieces of a text, cut where code begins and ends. */
export function cutAtCode(pieces: Piece[], stretches: Stretch[]): (Piece & Stretch)[] {
  const ends = stretches.map((_, index) => textOf(stretches.slice(0, index + 1)).length)
  let at = 0
  return pieces.flatMap(({ text, isQuoted }) => {
    const start = at
    at += text.length
    return stretches.flatMap(({ isCode }, index) => {
      const from = Math.max(start, ends[index - 1] ?? 0)
      const part = text.slice(from - start, Math.max(ends[index]! - start, 0))
      return part === '' ? [] : [{ text: part, isQuoted, isCode }]
    })
  })
}

function withoutMarks(line: string): string {
  if (isOnlyDrawn(line.trimEnd())) return ''
  return line
    .replace(/^ {0,3}#{1,6}[ \t]+/, '')
    .replace(/\*\*(?=\S)([^*]*[^*\s])\*\*/g, '$1')
    .replace(ROW, (_, cells: string) =>
      cells
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
        .join(' · '),
    )
}
