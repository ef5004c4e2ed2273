import { IngestionError } from './ingestion-error.ts'
import { looksLikeTitle, titleBelow, USUAL_LEVEL } from './web/looks-like-title.ts'

/** Ten times the length of the Bible. A few bytes of a hostile file can repeat the same text endlessly. */
const MAX_LENGTH = 40_000_000

/** Builds text in Markdown: headings and paragraphs, with the lines of each list and table kept together. */
export class DocumentText {
  readonly #blocks: string[] = []
  #lines: string[] = []
  #lineKind: 'item' | 'row' | undefined
  #length = 0
  /** The level of the last heading. */
  #level = USUAL_LEVEL - 1
  /** A bold line that becomes a heading if text follows it. */
  #standsOut = ''

  heading(level: number, text: string): void {
    this.#settle(false)
    const title = oneLine(text)
    if (title === '') return
    this.#level = Math.min(Math.max(level, 1), 6)
    this.#block(`${'#'.repeat(this.#level)} ${title}`)
  }

  /** A bold paragraph. It becomes a heading if it looks like a title and has text below it. */
  boldParagraph(text: string): void {
    const line = oneLine(text)
    if (looksLikeTitle(line)) {
      this.#settle(false)
      this.#standsOut = line
    } else this.paragraph(text)
  }

  paragraph(text: string): void {
    if (text.trim() !== '') this.#settle(true)
    const lines = text.split('\n').map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    const kept = lines.filter((line) => line !== '').join('\n')
    if (kept !== '') this.#block(kept)
  }

  /** Code and other text with significant whitespace. */
  preformatted(text: string): void {
    const kept = text.replace(/^\n+/, '').trimEnd()
    if (kept === '') return
    this.#settle(true)
    this.#block(kept)
  }

  item(text: string, depth = 0, marker = '-'): void {
    const line = oneLine(text)
    if (line !== '') this.#line('item', `${'  '.repeat(Math.min(depth, 9))}${marker} ${line}`)
  }

  row(cells: string[]): void {
    const shown = cells.map(oneLine)
    const last = shown.findLastIndex((cell) => cell !== '')
    if (last !== -1) this.#line('row', shown.slice(0, last + 1).join(' | '))
  }

  /** A finished line of a table's body. */
  record(line: string): void {
    this.#line('row', line)
  }

  endLines(): void {
    if (this.#lines.length > 0) this.#blocks.push(this.#lines.join('\n'))
    this.#lines = []
    this.#lineKind = undefined
  }

  toString(): string {
    this.#settle(false)
    this.endLines()
    return this.#blocks.join('\n\n')
  }

  #settle(isAbove: boolean): void {
    const line = this.#standsOut
    if (line === '') return
    this.#standsOut = ''
    this.#block(isAbove ? titleBelow(this.#level, line) : line)
  }

  #line(kind: 'item' | 'row', line: string): void {
    this.#settle(true)
    if (this.#lineKind !== kind) this.endLines()
    this.#lineKind = kind
    this.#count(line)
    this.#lines.push(line)
  }

  #block(text: string): void {
    this.endLines()
    this.#count(text)
    this.#blocks.push(text)
  }

  #count({ length }: string): void {
    this.#length += length
    if (this.#length > MAX_LENGTH) {
      throw new IngestionError('fail', { code: 'too_much_for_one' })
    }
  }
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Wraps code in a fence that is longer than any fence inside the code. */
export function fenced(code: string): string {
  const marks = (code.match(/^[^\S\n]*`{3,}/gm) ?? []).map((mark) => mark.trim().length)
  const fence = '`'.repeat(Math.max(2, ...marks) + 1)
  return `${fence}\n${code}\n${fence}`
}
