import type { Piece } from './find-quotes.ts'
import { isOnlyDrawn } from './markdown/split-blocks.ts'

interface Stretch {
  text: string
  isCode: boolean
  /** The characters that opened the code block, such as three backticks. */
  fence?: string
}

const FENCE = /^[ \t]{0,3}(`{3,}|~{3,}(?!~))([^`]*)$/
// In answers, markers may follow the last character of a line.
const MARKERS = /(?:\[\d+\.\d+\])+$/
const ROW = /^[ \t]*\|(.*)\|[ \t]*((?:\[\d+\.\d+\])*)[ \t]*$/m

/**
 * Removes the Markdown marks of headings, bold text, tables and code fences from a passage or answer. Text and code
 * stay unchanged. The last stretch, which may be empty, tells whether the following text is code.
 */
export function readPassage(text: string, begun?: Stretch): [...Stretch[], Stretch] {
  const read: Stretch[] = []
  let last: Stretch = { isCode: false, ...begun, text: '' }
  for (const line of text.split(/(?<=\n)/)) {
    const { fence, info } = fenceOf(line)
    const isOther = last.fence !== undefined && (info !== '' || !fence?.startsWith(last.fence))
    if (fence === undefined || isOther) {
      last.text += last.isCode ? line : withoutMarks(line)
      continue
    }
    read.push(last)
    last = last.isCode ? { text: '', isCode: false } : { text: '', isCode: true, fence }
  }
  return [...read, last]
}

/**
 * Tells whether a text starts inside a code block whose opening fence is missing. Only opening fences name a language.
 * Other opening fences mostly follow a blank line, and closing fences mostly precede a blank line.
 */
export function beginningOf(text: string): Stretch {
  const lines = text.split('\n')
  const isBlank = (line: string | undefined) => line?.trim() === ''
  let first: string | undefined
  let count = 0
  let sum = 0
  for (const [at, line] of lines.entries()) {
    const { fence, info } = fenceOf(line)
    first ??= fence
    if (fence === undefined || fence !== first) continue
    const [above, below] = [lines[at - 1], lines[at + 1]]
    const opens = (above === undefined || isBlank(above)) && !isBlank(below)
    const closes = !isBlank(above) && (below === undefined || isBlank(below))
    const says = info === '' ? Number(opens) - Number(closes) : lines.length
    // Fences alternate. If the first fence opens, every second fence closes.
    sum += count % 2 === 0 ? says : -says
    count += 1
  }
  return sum < 0 && first ? { text: '', isCode: true, fence: first } : { text: '', isCode: false }
}

/** Returns the fence of a line, if any, and the text after it. */
function fenceOf(line: string): { fence?: string | undefined; info?: string } {
  const [, fence, rest = ''] = FENCE.exec(line.trimEnd()) ?? []
  return { fence, info: rest.replace(MARKERS, '').trim() }
}

export function textOf(stretches: Stretch[]): string {
  return stretches.map(({ text }) => text).join('')
}

/** Splits the pieces where code starts and ends. */
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
    .replace(ROW, (_, row: string, markers: string) => {
      const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim())
      return `${cells.join(' · ')} ${markers}`.trimEnd()
    })
}
