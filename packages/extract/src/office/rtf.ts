import { charsetEncoding, codePageEncoding } from '../detect/code-pages.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { nestedTooDeep } from '../ingestion-error.ts'
import { writeRows } from '../tables/headed-table.ts'
import type { ExtractedText } from '../web/html.ts'
import WORDS from './rtf-words.json' with { type: 'json' }

const MAX_DEPTH = 2000
const TOKEN =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/gi

// Groups without text of the document. Groups marked with \* are left out, too, except those in KEPT.
const LEFT_OUT = new Set(WORDS.leftOut)
const KEPT = new Set(['shpinst', 'shptxt', 'footnote'])
const CHARACTERS = new Map(Object.entries(WORDS.characters))

interface Group {
  target: 'body' | 'fonts' | 'styles' | 'title' | 'nowhere'
  font: number
  /** How many fallback characters follow a Unicode character (`\uc`). */
  standIns: number
  isHidden: boolean
  isBold: boolean
}

/** Decodes bytes in the code page of their font, and prefers Unicode where the file has it. */
export function extractRtf(bytes: Uint8Array): ExtractedText {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return new RtfReader().read(rtf)
}

class RtfReader {
  readonly #text = new DocumentText()
  readonly #groups: Group[] = []
  readonly #fonts = new Map<number, string>()
  readonly #headings = new Map<number, number>()
  #group: Group = { target: 'body', font: 0, standIns: 1, isHidden: false, isBold: false }
  #encoding = 'windows-1252'
  #pending: number[] = []
  #standInsLeft = 0
  #isOptional = false
  #title = ''
  #paragraph = ''
  /** The paragraph's text starts with its list mark. */
  #isItem = false
  /** True while all text of the paragraph is bold. */
  #isBold = true
  #rows: string[][] = []
  #cells: string[] = []
  #level: number | undefined
  #style = 0
  #styleName = ''

  read(rtf: string): ExtractedText {
    TOKEN.lastIndex = 0
    for (let match = TOKEN.exec(rtf); match; match = TOKEN.exec(rtf)) {
      const [, word, parameter, hex, symbol, brace, plain] = match
      if (word !== undefined) {
        this.#word(word.toLowerCase(), parameter === undefined ? undefined : Number(parameter))
        if (word === 'bin') TOKEN.lastIndex += Math.max(Number(parameter ?? 0), 0)
      } else if (hex !== undefined) this.#byte(Number.parseInt(hex, 16))
      else if (brace === '{') this.#open()
      else if (brace === '}') this.#close()
      else if (symbol !== undefined) this.#symbol(symbol)
      else for (let i = 0; plain && i < plain.length; i++) this.#byte(plain.charCodeAt(i))
    }
    this.#endParagraph()
    this.#endTable()
    return { title: oneLine(this.#title), text: this.#text.toString() }
  }

  #open(): void {
    this.#flush()
    if (this.#groups.length > MAX_DEPTH) throw nestedTooDeep(MAX_DEPTH)
    this.#groups.push({ ...this.#group })
    this.#isOptional = false
    this.#standInsLeft = 0
  }

  #close(): void {
    this.#flush()
    if (this.#group.target === 'styles') this.#endStyle()
    this.#group = this.#groups.pop() ?? this.#group
    this.#standInsLeft = 0
  }

  #symbol(symbol: string): void {
    if (symbol === '*') this.#isOptional = true
    else if (symbol === '~') this.#write(' ')
    else if (symbol === '_') this.#write('-')
    else if (symbol === '\n' || symbol === '\r') this.#word('par', undefined)
    else if (/[\\{}]/.test(symbol)) this.#byte(symbol.charCodeAt(0))
  }

  #word(word: string, parameter: number | undefined): void {
    const group = this.#group
    const isOptional = this.#isOptional
    this.#isOptional = false
    if (word === 'u' && parameter !== undefined) {
      this.#flush()
      this.#append(String.fromCharCode(parameter < 0 ? parameter + 65536 : parameter))
      this.#standInsLeft = group.standIns
      return
    }
    this.#flush()
    if (word === 'fonttbl') group.target = 'fonts'
    else if (word === 'stylesheet') group.target = 'styles'
    else if (word === 'title' && group.target === 'nowhere') group.target = 'title'
    else if (word === 'info') group.target = 'nowhere'
    else if (LEFT_OUT.has(word) || (isOptional && !KEPT.has(word))) group.target = 'nowhere'
    else if (word === 'uc') group.standIns = parameter ?? 1
    else if (word === 'f') group.font = parameter ?? 0
    else if (word === 'plain') {
      group.isHidden = false
      group.isBold = false
    } else if (word === 'b') group.isBold = parameter !== 0
    else if (word === 'v' || word === 'deleted') group.isHidden = parameter !== 0
    else if (word === 'ansicpg') this.#encoding = codePageEncoding(parameter ?? 1252)
    else if (word === 'mac') this.#encoding = 'macintosh'
    else if (word === 'fcharset' && group.target === 'fonts') {
      this.#fonts.set(group.font, charsetEncoding(parameter ?? 0))
    } else if (word === 's') this.#style = parameter ?? 0
    else if (word === 'footnote') this.#write(' ')
    else if (word === 'listtext' || word === 'pntext') this.#isItem = true
    else if (CHARACTERS.has(word)) this.#write(CHARACTERS.get(word)!)
    else if (group.target === 'body') this.#layOut(word, parameter)
  }

  #layOut(word: string, parameter: number | undefined): void {
    if (word === 'par' || word === 'sect' || word === 'page') {
      // Inside a table row, a break ends no paragraph: a footnote's paragraphs stay with their cell.
      if (this.#cells.length === 0) this.#endParagraph()
      else this.#write(' ')
    } else if (word === 'pard') {
      this.#level = undefined
      this.#style = 0
    } else if (word === 'outlinelevel') this.#level = parameter
    else if (word === 'cell' || word === 'nestcell') {
      this.#cells.push(this.#paragraph)
      this.#paragraph = ''
      this.#isBold = true
    } else if (word === 'row') {
      this.#rows.push(this.#cells.splice(0))
    }
  }

  #endTable(): void {
    const rows = this.#rows.splice(0)
    if (rows.length > 0) writeRows(this.#text, rows)
  }

  #byte(byte: number): void {
    if (this.#standInsLeft > 0) this.#standInsLeft -= 1
    else this.#pending.push(byte)
  }

  /** Bytes are collected before decoding, because a character may take two of them. */
  #flush(): void {
    if (this.#pending.length === 0) return
    const bytes = Uint8Array.from(this.#pending)
    this.#pending = []
    const encoding = this.#fonts.get(this.#group.font) ?? this.#encoding
    const isSymbols = encoding === 'symbol'
    const words = new TextDecoder(isSymbols ? 'windows-1252' : encoding).decode(bytes)
    this.#append(isSymbols ? words.replaceAll('·', '•') : words)
  }

  #write(words: string): void {
    this.#flush()
    this.#append(words)
  }

  #append(words: string): void {
    const { target, isHidden } = this.#group
    if (target === 'title') this.#title += words
    else if (target === 'styles') this.#styleName += words
    else if (target === 'body' && !isHidden) {
      this.#paragraph += words
      if (words.trim() !== '') this.#isBold &&= this.#group.isBold
    }
  }

  #endStyle(): void {
    const level = /^heading (\d)/i.exec(this.#styleName.trim())?.[1]
    if (level) this.#headings.set(this.#style, Number(level) - 1)
    this.#styleName = ''
    this.#style = 0
  }

  #endParagraph(): void {
    this.#flush()
    if (this.#cells.length > 0) this.#rows.push(this.#cells.splice(0))
    if (this.#paragraph.trim() !== '') this.#endTable()
    const level = this.#level ?? this.#headings.get(this.#style)
    if (level !== undefined && level < 9) this.#text.heading(level + 1, this.#paragraph)
    else if (this.#isItem) {
      const [, mark = '-', words = ''] = /^\s*(\S+)\s+(.*)$/s.exec(this.#paragraph) ?? []
      this.#text.item(words, 0, mark)
    } else if (this.#isBold) this.#text.boldParagraph(this.#paragraph)
    else this.#text.paragraph(this.#paragraph)
    this.#paragraph = ''
    this.#isItem = false
    this.#isBold = true
  }
}
