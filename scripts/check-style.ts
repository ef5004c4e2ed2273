import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

// Fails on sentences in comments and documents that begin like a riddle, and on long sentences in comments (see
// CONTRIBUTING.md). Checks the files given as arguments, or every tracked file.

/** The list only gets shorter. */
const EXEMPT = ['CHANGELOG.md', 'docs/', 'packages/quote/src/before-judge/']
const RIDDLE =
  /^(Whoever|Of those that|So many|By itself|Neither|Nor|That which|What (?:is|an?|the))\b/
const MOST_WORDS = 40

const ROOT = join(import.meta.dirname, '..')
/** A period ends a sentence if a capital letter, a quote or code follows. */
const SENTENCE_END = /(?<=[.!?]["”’)`*]*)\s+(?=["“‘`(*]*\p{Lu}|`)/u
/** Tags, list items, instructions to tools, indented lines and columns. */
const STARTS_ANEW = /^ ?(@|[-*] |\d+\. |biome-ignore)|^\s{2}|\S {3,}\S/

interface Paragraph {
  line: number
  lines: string[]
}

const given = process.argv.slice(2)
const files = given.length > 0 ? given : listTracked()
const findings = files
  .filter((file) => !EXEMPT.some((path) => file.startsWith(path)))
  .flatMap(check)
for (const finding of findings) process.stdout.write(`${finding}\n`)
process.exit(findings.length > 0 ? 1 : 0)

function listTracked(): string[] {
  const patterns = ['*.ts', '*.tsx', '*.mjs', '*.md']
  const listed = execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: ROOT })
  return listed.toString().split('\0').filter(Boolean)
}

function check(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const isDocument = file.endsWith('.md')
  const paragraphs = isDocument ? paragraphsOf(text) : commentsOf(file, text).flatMap(split)
  return paragraphs.flatMap((paragraph) => {
    const whole = paragraph.lines.join('\n')
    return whole.split(SENTENCE_END).flatMap((sentence) => {
      const before = whole.slice(0, whole.indexOf(sentence)).split('\n').length - 1
      const at = `${file}:${paragraph.line + before}`
      const plain = sentence.replace(/^["“‘(*_]+/, '')
      const opening = RIDDLE.exec(plain)?.[0]
      const words = plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
      return [
        ...(opening && !plain.includes('?') ? [`${at}: a sentence begins with "${opening}"`] : []),
        ...(words > MOST_WORDS && !isDocument ? [`${at}: a sentence has ${words} words`] : []),
      ]
    })
  })
}

/** Joins line comments that follow each other. */
function commentsOf(file: string, text: string): Paragraph[] {
  const found: (Paragraph & { end: number; isOpen: boolean })[] = []
  for (const { type, value, start, end } of parseSync(file, text).comments) {
    const line = text.slice(0, start).split('\n').length
    const last = found.at(-1)
    if (type === 'Line' && last?.isOpen && /^\n\s*$/.test(text.slice(last.end, start))) {
      last.lines.push(value)
      last.end = end
      continue
    }
    const lines = value.split('\n').map((text) => text.replace(/^\s*\*+/, ''))
    const isAlone = /\n\s*$|^$/.test(text.slice(0, start))
    found.push({ line, lines, end, isOpen: type === 'Line' && isAlone })
  }
  return found
}

/** Leaves out headings, tables, quotes and code. */
function paragraphsOf(text: string): Paragraph[] {
  const blank = (part: string) => part.replace(/[^\n]+/g, '')
  const prose = text.replace(/^( *)```.*?^\1```/gms, blank).replace(/^(#|\||<|> ).*$/gm, blank)
  const lines = prose.split('\n').map((line) => line.replace(/^ {2,}(?=\S)/, ''))
  return split({ line: 1, lines })
}

function split({ line, lines }: Paragraph): Paragraph[] {
  const parts: Paragraph[] = []
  let isNew = true
  for (const [i, text] of lines.entries()) {
    const isEmpty = text.trim() === ''
    if (isEmpty) isNew = true
    else if (isNew || STARTS_ANEW.test(text)) {
      parts.push({ line: line + i, lines: [text.trim().replace(/^([-*]|\d+\.) /, '')] })
      isNew = false
    } else parts.at(-1)!.lines.push(text.trim())
  }
  return parts
}
