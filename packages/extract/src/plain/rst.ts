import { DocumentText, fenced } from '../document-text.ts'
import { writeTable } from '../tables/headed-table.ts'
import type { ExtractedText } from '../web/html.ts'
import { inlineText } from './rst-inline.ts'
import { dedented, indentOf, isBlank, RstLines } from './rst-lines.ts'
import { GRID_BORDER, gridTable, SIMPLE_BORDER, simpleTable } from './rst-tables.ts'
import WORDS from './rst-words.json' with { type: 'json' }

const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/
const EXPLICIT = /^\.\.(?:\s|$)/
const DIRECTIVE = /^\.\. (?:\|[^|]{1,100}\| )?([\w:+.-]{1,60})::(?:\s+(.*))?$/
const SUBSTITUTION = /^\.\. \|([^|]{1,100})\| (replace|unicode)::\s*(.*)$/
const NOTE = /^\.\. \[([^\]]{1,60})\]\s+(.*)$/
const TARGET = /^(?:\.\. _|__ )/
const OPTION = /^\s*:[\w-]+:/
const ALTERNATIVE = /^:alt:\s*(.*)$/
const FIELD = /^:(?![:\s])([^:\n]{1,100}(?:(?<=\\):[^:\n]{1,100})*):(?:\s+(.*))?$/
const ITEM = /^([-*+•‣]|(?:#|\d{1,4}|[A-Za-z])[.)]|\((?:#|\d{1,4}|[A-Za-z])\))(\s+)(?=\S)/
const LINE_BLOCK = /^\|(?:\s|$)/

const CODE = new Set(WORDS.code)
// Directives for layout, or that refer to other files.
const LEFT_OUT = new Set(WORDS.leftOut)
const PICTURES = new Set(['image', 'figure'])
const TITLED = new Set([
  'admonition',
  'topic',
  'sidebar',
  'rubric',
  'centered',
  'table',
  'csv-table',
  'list-table',
])
const MAX_DEPTH = 40

/** Converts reStructuredText to Markdown text. */
export function extractRst(rst: string): ExtractedText {
  const lines = rst
    .replaceAll('\t', '        ')
    .split('\n')
    .map((line) => line.trimEnd())
  return new RstReader(substitutionsIn(lines)).read(lines)
}

function substitutionsIn(lines: readonly string[]): Map<string, string> {
  const found = lines.flatMap((line) => {
    const [, name, , text] = SUBSTITUTION.exec(line) ?? []
    return name === undefined || !line.includes('replace::')
      ? []
      : [[name.toLowerCase(), text!] as const]
  })
  return new Map(found)
}

class RstReader {
  readonly #text = new DocumentText()
  readonly #substitutions: Map<string, string>
  /** Heading levels follow the order in which their adornments first appear. */
  readonly #levels: string[] = []
  #title = ''

  constructor(substitutions: Map<string, string>) {
    this.#substitutions = substitutions
  }

  read(lines: readonly string[]): ExtractedText {
    this.#readBlocks(lines, 0)
    return { title: this.#title, text: this.#text.toString() }
  }

  #inline(text: string): string {
    return inlineText(text, this.#substitutions)
  }

  #readBlocks(given: readonly string[], depth: number): void {
    if (depth > MAX_DEPTH) {
      this.#text.paragraph(this.#inline(given.join(' ')))
      return
    }
    const lines = new RstLines(given)
    while (!lines.isAtEnd) {
      const line = lines.peek()
      if (isBlank(line)) lines.take()
      else if (line.startsWith(' ')) this.#readBlocks(lines.takeIndented(), depth + 1)
      else if (!this.#readHeading(lines)) this.#readBlock(lines, line, depth)
    }
  }

  #readBlock(lines: RstLines, line: string, depth: number): void {
    if (EXPLICIT.test(line)) this.#readExplicit(lines, depth)
    else if (TARGET.test(line)) lines.take()
    else if (SIMPLE_BORDER.test(line)) this.#readSimpleTable(lines)
    else if (GRID_BORDER.test(line)) {
      const rows = lines.takeWhile((row) => /^[+|]/.test(row))
      writeTable(
        this.#text,
        gridTable(rows, (text) => this.#inline(text)),
      )
    } else if (LINE_BLOCK.test(line)) {
      const rows = lines.takeWhile((row) => LINE_BLOCK.test(row))
      this.#text.paragraph(rows.map((row) => this.#inline(row.slice(1).trim())).join('\n'))
    } else if (line.startsWith('>>> ')) {
      this.#writeCode(lines.takeWhile((row) => !isBlank(row)))
    } else if (ITEM.test(line)) this.#readItem(lines, line, depth)
    else if (FIELD.test(line)) this.#readField(lines, line, depth)
    else this.#readParagraph(lines, depth)
  }

  /** A heading is underlined or has a line above and below. A line alone only separates sections. */
  #readHeading(lines: RstLines): boolean {
    const [first, second, third] = [lines.peek(), lines.peek(1), lines.peek(2)]
    if (ADORNMENT.test(first) && first.length >= 3 && !SIMPLE_BORDER.test(first)) {
      const isOverlined = !isBlank(second) && third === first && !ADORNMENT.test(second)
      if (isOverlined) this.#writeHeading(`${first[0]}${first[0]}`, second.trim())
      else if (!isBlank(second) || first.length < 4) return false
      lines.at += isOverlined ? 3 : 1
      return true
    }
    const isUnderlined = ADORNMENT.test(second) && !ITEM.test(first) && !EXPLICIT.test(first)
    if (!isUnderlined || second.length < Math.min(first.length, 4)) return false
    this.#writeHeading(second[0]!, first.trim())
    lines.at += 2
    return true
  }

  #writeHeading(style: string, marked: string): void {
    if (!this.#levels.includes(style)) this.#levels.push(style)
    const title = this.#inline(marked)
    const level = this.#levels.indexOf(style) + 1
    if (level === 1 && this.#title === '') this.#title = title
    this.#text.heading(level, title)
  }

  #readExplicit(lines: RstLines, depth: number): void {
    const line = lines.take()
    const body = lines.takeIndented()
    const [, name, argument = ''] = DIRECTIVE.exec(line) ?? []
    const [, mark, note = ''] = NOTE.exec(line) ?? []
    if (mark !== undefined)
      this.#text.paragraph(this.#inline([`[${mark}]`, note, ...body].join(' ')))
    // Everything else is a target or a comment.
    else if (name !== undefined && !SUBSTITUTION.test(line) && !line.startsWith('.. _')) {
      this.#readDirective(name, argument, body, depth)
    }
  }

  #readDirective(name: string, argument: string, body: string[], depth: number): void {
    if (LEFT_OUT.has(name)) return
    const first = body.findIndex((line) => !OPTION.test(line))
    const content = first === -1 ? [] : body.slice(first)
    if (CODE.has(name)) {
      this.#writeCode(name === 'math' ? [argument, ...content] : content)
      return
    }
    if (PICTURES.has(name)) {
      const alternative = body.map((line) => ALTERNATIVE.exec(line)?.[1]).find(Boolean) ?? ''
      this.#text.paragraph(this.#inline(alternative))
    } else if (TITLED.has(name)) this.#text.boldParagraph(this.#inline(argument))
    else if (
      /^(?:\w+:)?(?:function|method|class|attribute|data|option|envvar|exception|confval|cmdoption)$/.test(
        name,
      )
    ) {
      if (argument !== '') this.#text.paragraph(`\`${argument}\``)
    } else if (/^(?:version|deprecat)/.test(name)) {
      this.#text.paragraph(this.#inline(`${name}: ${argument}`))
    } else this.#text.paragraph(this.#inline(argument))
    this.#readBlocks(content, depth + 1)
  }

  #readSimpleTable(lines: RstLines): void {
    const rows = [lines.take()]
    let borders = 1
    // The table ends at a border followed by an empty line.
    while (!lines.isAtEnd) {
      const row = lines.take()
      rows.push(row)
      if (!SIMPLE_BORDER.test(row)) continue
      borders += 1
      if (borders > 1 && (isBlank(lines.peek()) || borders > 2)) break
    }
    writeTable(
      this.#text,
      simpleTable(rows, (text) => this.#inline(text)),
    )
  }

  #readItem(lines: RstLines, line: string, depth: number): void {
    const [mark = '', sign = '-', gap = ' '] = ITEM.exec(line) ?? []
    lines.take()
    const body = dedented(lines.takeIndented())
    const end = body.findIndex(isBlank)
    const own = end === -1 ? body : body.slice(0, end)
    const nested = own.findIndex((row) => ITEM.test(row))
    const cut = nested === -1 ? own.length : nested
    const words = [line.slice(mark.length), ...own.slice(0, cut)].join(' ')
    const isLead = /::$/.test(words)
    const shown = /^[-*+•‣]$/.test(sign) || sign.includes('#') ? '-' : sign
    this.#text.item(
      this.#inline(isLead ? words.slice(0, -1) : words),
      Math.min(depth, 9),
      shown + gap.slice(1).replace(/\s+/, ''),
    )
    const rest = body.slice(cut)
    if (isLead) this.#writeCode(rest)
    else this.#readBlocks(rest, depth + 1)
  }

  #readField(lines: RstLines, line: string, depth: number): void {
    lines.take()
    const [, name = '', value = ''] = FIELD.exec(line) ?? []
    const body = lines.takeIndented()
    const end = body.findIndex(isBlank)
    const own = end === -1 ? body : body.slice(0, end)
    const words = [value, ...own].join(' ').trim()
    if (words !== '') this.#text.record(`${this.#inline(name)}: ${this.#inline(words)}`)
    if (end !== -1) this.#readBlocks(body.slice(end), depth + 1)
  }

  /** Reads a paragraph and the code, definition or quote that it introduces. */
  #readParagraph(lines: RstLines, depth: number): void {
    const own = [lines.take()]
    while (!isBlank(lines.peek()) && !lines.peek().startsWith(' ') && !this.#isHeadingNext(lines)) {
      own.push(lines.take())
    }
    const words = own.join(' ')
    const isTerm = own.length === 1 && lines.peek().startsWith(' ') && !words.endsWith('::')
    if (isTerm) {
      const body = lines.takeIndented()
      const end = body.findIndex(isBlank)
      const definition = end === -1 ? body : body.slice(0, end)
      this.#text.paragraph(this.#inline(`${words.replace(/:$/, '')}: ${definition.join(' ')}`))
      if (end !== -1) this.#readBlocks(body.slice(end), depth + 1)
    } else if (words.endsWith('::')) this.#readLiteral(lines, words)
    else this.#text.paragraph(this.#inline(words))
  }

  #isHeadingNext(lines: RstLines): boolean {
    return lines.has(1) && ADORNMENT.test(lines.peek(1)) && lines.peek(1).length >= 4
  }

  #readLiteral(lines: RstLines, words: string): void {
    const shown =
      words === '::' ? '' : words.endsWith(' ::') ? words.slice(0, -3) : words.slice(0, -1)
    this.#text.paragraph(this.#inline(shown))
    lines.takeWhile(isBlank)
    if (indentOf(lines.peek()) > 0) this.#writeCode(lines.takeIndented())
    else this.#writeCode(lines.takeWhile((line) => /^[!-/:-@[-`{-~]/.test(line)))
  }

  #writeCode(lines: readonly string[]): void {
    const code = dedented(lines).join('\n').replace(/^\n+/, '').trimEnd()
    if (code !== '') this.#text.preformatted(fenced(code))
  }
}
