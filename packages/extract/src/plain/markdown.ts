import { DocumentText, fenced } from '../document-text.ts'
import { writeRows } from '../tables/headed-table.ts'
import type { ExtractedText } from '../web/html.ts'
import { looksLikeTitle, titleBelow, USUAL_LEVEL } from '../web/looks-like-title.ts'
import { splitFrontMatter } from './front-matter.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
// MDX files begin with imports.
const IMPORT = /^import\s.*\sfrom\s+(?:'[^']+'|"[^"]+");?\s*$/
// Setext headings: underlined paragraphs.
const UNDERLINE = /^ {0,3}(?:(=+)|-{2,})\s*$/
const PARAGRAPH = /^ {0,3}(?!\d+[.)]\s)[^\s#>|=*+-]/
// A whole line in bold can be a heading, too.
const BOLD = /^ {0,3}(\*\*|__)(?!\s)([^*_]+?)\1:?\s*$/
// A definition list: the line before is the term.
const DEFINITION = /^ {0,3}: {1,3}(?=\S)/
const INDENTED = /^(?: {4}|\t)\s*\S/
const IMAGE =
  /!\[([^[\]\n]{0,500})\](?:\((?:[^()\n]|\([^()\n]{0,500}\)){0,2000}\)|\[[^[\]\n]{0,200}\])/g
const BELOW_HEADER = /^[\s|:-]+$/

interface Line {
  text: string
  isCode: boolean
}

/** Removes invisible parts and normalizes headings and tables. */
export function extractMarkdown(markdown: string): ExtractedText {
  const { title, body } = splitFrontMatter(markdown.replaceAll('\r\n', '\n'))
  const text = layOut(seenLines(body)).join('\n').trim()
  return { title: title || firstHeading(text), text }
}

/** Drops comments and imports, except in code, where they are examples. */
function seenLines(markdown: string): Line[] {
  const lines: Line[] = []
  // An unclosed comment is treated as text.
  const lastEnd = markdown.lastIndexOf('-->')
  let fence = ''
  let isComment = false
  let at = 0
  for (const line of markdown.split('\n')) {
    const mark = isComment ? undefined : FENCE.exec(line)?.[1]
    if (fence !== '' || mark) {
      lines.push({ text: line, isCode: true })
      if (fence === '') fence = mark!
      else if (mark?.startsWith(fence) && line.trim() === mark) fence = ''
    } else {
      const seen = leaveOutComments(line, isComment, lastEnd - at)
      const isInvisible = seen.text.trim() === '' && (isComment || line.trim() !== '')
      if (!isInvisible && !IMPORT.test(line)) {
        lines.push({ text: withoutImages(seen.text), isCode: false })
      }
      isComment = seen.isComment
    }
    at += line.length + 1
  }
  return lines
}

function layOut(lines: Line[]): string[] {
  const text: string[] = []
  let level = USUAL_LEVEL - 1
  for (let i = 0; i < lines.length; ) {
    const { text: line, isCode } = lines[i]!
    if (!isCode) level = /^#{1,6}(?=\s)/.exec(line)?.[0].length ?? level
    const below = isCode ? '' : proseAt(lines, i + 1)
    const isParagraph = PARAGRAPH.test(line) && proseAt(lines, i - 1).trim() === ''
    const underline = isParagraph ? UNDERLINE.exec(below) : null
    if (underline) {
      text.push(`${underline[1] ? '#' : '##'} ${line.trim()}`, '')
      i += 2
    } else if (
      line.includes('|') &&
      below.includes('-') &&
      below.includes('|') &&
      BELOW_HEADER.test(below)
    ) {
      const end = endOf(lines, i, (row) => row.includes('|'))
      text.push(rowsOf([line, ...lines.slice(i + 2, end).map((row) => row.text)]))
      i = end
    } else if (!isCode && INDENTED.test(line) && leadsToCode(text)) {
      const end = endOf(lines, i, (row) => INDENTED.test(row) || row.trim() === '')
      const code = lines.slice(i, end).map((row) => row.text.replace(/^(?: {4}|\t)/, ''))
      text.push(fenced(code.join('\n').trimEnd()), '')
      i = end
    } else if (!isCode && DEFINITION.test(line) && PARAGRAPH.test(termBefore(text))) {
      const at = text.at(-1)?.trim() === '' ? -2 : -1
      const term = text.splice(at)[0]!.trimEnd()
      const isFirst = proseAt(lines, i - 1).trim() === term || proseAt(lines, i - 2).trim() === term
      text.push(`${term}${isFirst ? ':' : ''} ${line.replace(DEFINITION, '')}`)
      i += 1
    } else {
      const title = isCode ? undefined : boldTitle(lines, i)
      text.push(title ? titleBelow(level, title) : line)
      i += 1
    }
  }
  return text
}

/** The term of a definition: the last line, or the one before an empty line. */
function termBefore(text: string[]): string {
  return text.at(-1)?.trim() === '' ? (text.at(-2) ?? '') : (text.at(-1) ?? '')
}

/** The text of a bold line that stands alone above regular text, if it looks like a title. */
function boldTitle(lines: Line[], at: number): string | undefined {
  const title = BOLD.exec(lines[at]!.text)?.[2]?.trim()
  if (!title || !looksLikeTitle(title)) return undefined
  const isAlone = [at - 1, at + 1].every((beside) => proseAt(lines, beside).trim() === '')
  const next = lines[at + 2]
  return isAlone && next && !/^\s*$|^#/.test(next.text) && !BOLD.test(next.text) ? title : undefined
}

function proseAt(lines: Line[], at: number): string {
  const line = lines[at]
  return line && !line.isCode ? line.text : ''
}

/** The end of a run of matching lines. The first line is not checked. */
function endOf(lines: Line[], from: number, isSuch: (line: string) => boolean): number {
  let end = from + 1
  while (end < lines.length && !lines[end]!.isCode && isSuch(lines[end]!.text)) end += 1
  return end
}

/** Whether the last paragraph ends with a colon. An indented block after it is code, not a list item. */
function leadsToCode(text: string[]): boolean {
  const before =
    text.at(-1)?.trim() === '' ? text.findLast((line) => line.trim() !== '') : undefined
  return before !== undefined && PARAGRAPH.test(before) && /[:：]\s*$/.test(before)
}

/** The first row is always the header. */
function rowsOf(rows: string[]): string {
  const text = new DocumentText()
  writeRows(text, rows.map(cellsOf), 1)
  return text.toString()
}

function cellsOf(row: string): string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|'))
}

/** Replaces images with their alternative text, except in inline code. */
function withoutImages(line: string): string {
  if (!line.includes('![')) return line
  return line
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(IMAGE, '$1')))
    .join('')
}

function leaveOutComments(line: string, wasComment: boolean, lastEnd: number) {
  let text = ''
  let isComment = wasComment
  let isCode = false
  for (const { 0: part, index } of line.matchAll(/<!--|-->|`|[^<`-]+|./g)) {
    if (isComment) isComment = part !== '-->'
    else if (part === '<!--' && !isCode && index < lastEnd) isComment = true
    else text += part
    if (part === '`' && !isComment) isCode = !isCode
  }
  return { text, isComment }
}

/** Skips comments in code blocks, which also begin with `#`. */
function firstHeading(markdown: string): string {
  const prose = markdown.replace(/^(```|~~~).*?^\1/gms, '')
  const heading = /^# (.*)$/m.exec(prose)?.[1] ?? ''
  return heading.replace(/ #+$/, '').trim()
}
