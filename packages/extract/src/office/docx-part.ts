import { type Attributes, attribute, walkXml } from '../containers/xml.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { type TableCell, writeTable } from '../tables/headed-table.ts'
import type { DocxNumbering } from './docx-numbering.ts'
import { findStyle, type Style } from './docx-styles.ts'

export interface Context {
  styles: Map<string, Style>
  numbering: DocxNumbering
  notes: Map<string, string>
  /** Returns the text of an imported part (`altChunk`). */
  imported: (id: string) => string
}

interface Paragraph {
  text: string
  style: string
  outline: number | undefined
  list: string | undefined
  depth: number
  notes: string[]
  isBold: boolean
  /** All text before the first line break is bold. */
  isLeadBold: boolean
}

interface Cell {
  words: string[]
  columns: number
  isBold: boolean
}

interface Row {
  cells: Cell[]
  isHeader: boolean
}

interface Table {
  rows: Row[]
  style: string
  /** `tblLook` asks for a different first row. */
  isFirstDifferent: boolean
}

const MAX_COLUMNS = 100
// Styles that do not set the first row apart, even if `tblLook` asks for it.
const PLAIN_TABLE = /^$|^(?:table)?(?:grid|normal)(?:table)?$|^tablegridlight$|^plaintable/i

// Deleted and moved text, pronunciation (ruby), and fallback copies for old programs.
const LEFT_OUT = new Set(['del', 'moveFrom', 'Fallback', 'rt'])

/** Reads the body, a header or a footer. */
export function readPart(
  bytes: Uint8Array | undefined,
  context: Context,
): { text: DocumentText; title: string } {
  const reader = new PartReader(context)
  walkXml(bytes, reader)
  return reader
}

class PartReader {
  readonly text = new DocumentText()
  title = ''
  readonly #context: Context
  /** Open tables and paragraphs, the innermost last. */
  readonly #tables: Table[] = []
  readonly #paragraphs: Paragraph[] = []
  #leftOut = 0
  #runDepth = 0
  #inText = false
  /** Formatting of the current run. */
  #isHidden = false
  #isBold = false

  constructor(context: Context) {
    this.#context = context
  }

  open(name: string, attributes: Attributes): void {
    if (this.#leftOut > 0 || LEFT_OUT.has(name)) {
      this.#leftOut += 1
      return
    }
    const paragraph = this.#paragraphs.at(-1)
    const inRun = this.#runDepth > 0
    if (name === 'p') this.#paragraphs.push(newParagraph())
    else if (name === 'tbl') this.#tables.push({ rows: [], style: '', isFirstDifferent: false })
    else if (name === 'tr') this.#tables.at(-1)?.rows.push({ cells: [], isHeader: false })
    else if (name === 'tc') this.#openRow?.cells.push({ words: [], columns: 1, isBold: true })
    else if (name === 'altChunk') this.#import(attributes)
    else if (name === 'r') this.#runDepth += 1
    else if (name === 't') this.#inText = true
    else if (name === 'b' && inRun) this.#isBold = isOn(attributes)
    else if (name === 'vanish' && inRun) this.#isHidden = attribute(attributes, 'val') !== '0'
    else if (name === 'tab' && inRun) this.#write('\t')
    else if (name === 'br' || name === 'cr') this.#write('\n')
    else if (name === 'noBreakHyphen') this.#write('-')
    else if (!paragraph) readTableProperty(this.#tables.at(-1), name, attributes)
    else if (/^(foot|end)noteReference$/.test(name)) this.#addNote(paragraph, name, attributes)
    else readProperty(paragraph, name, attributes)
  }

  read(data: string): void {
    if (this.#inText) this.#write(data)
  }

  close(name: string): void {
    this.#inText = false
    if (this.#leftOut > 0) this.#leftOut -= 1
    else if (name === 'p') this.#endParagraph()
    else if (name === 'tbl') this.#endTable()
    else if (name === 'r') this.#endRun()
  }

  get #openRow(): Row | undefined {
    return this.#tables.at(-1)?.rows.at(-1)
  }

  get #openCell(): Cell | undefined {
    return this.#openRow?.cells.at(-1)
  }

  #import(attributes: Attributes): void {
    this.text.preformatted(this.#context.imported(attribute(attributes, 'id') ?? ''))
  }

  #addNote(paragraph: Paragraph, name: string, attributes: Attributes): void {
    const kind = name.slice(0, -'Reference'.length)
    const note = this.#context.notes.get(`${kind}:${attribute(attributes, 'id')}`)
    if (note) paragraph.notes.push(note)
  }

  #write(words: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (!paragraph || this.#leftOut > 0 || this.#isHidden) return
    const isLead = !paragraph.text.includes('\n')
    paragraph.text += words
    if (words.trim() === '') return
    paragraph.isBold &&= this.#isBold
    if (isLead) paragraph.isLeadBold &&= this.#isBold
    const cell = this.#openCell
    if (cell) cell.isBold &&= this.#isBold
  }

  #endRun(): void {
    this.#runDepth -= 1
    this.#isHidden = false
    this.#isBold = false
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (!paragraph) return
    const { text: words, notes } = paragraph
    const style = findStyle(this.#context.styles, paragraph.style)
    const isEmpty = words.trim() === ''
    const mark = isEmpty ? '' : this.#nextMark(paragraph, style)
    const cell = this.#openCell
    if (cell) {
      if (!isEmpty) cell.words.push(mark === '' ? words : `${mark} ${words}`, ...notes)
      return
    }
    this.#writeParagraph(paragraph, style, mark)
    for (const note of notes) this.text.paragraph(note)
  }

  /** Returns the mark of a list item or numbered heading, and counts it. Empty for other paragraphs. */
  #nextMark({ list, depth }: Paragraph, style: Style): string {
    const number = list ?? style.list
    return number && number !== '0' ? this.#context.numbering.next(number, depth) : ''
  }

  #writeParagraph(paragraph: Paragraph, style: Style, mark: string): void {
    const { text: words, outline = style.outline } = paragraph
    if (/^title$/i.test(style.name)) {
      this.title ||= oneLine(words)
      this.text.heading(1, words)
    } else if (outline !== undefined && outline < 9) {
      this.text.heading(outline + 1, mark === '' || mark === '-' ? words : `${mark} ${words}`)
    } else if (mark !== '') this.text.item(words, paragraph.depth, mark)
    else if (paragraph.isBold) this.text.boldParagraph(words)
    else if (paragraph.isLeadBold) {
      const [lead = '', ...rest] = words.trim().split('\n')
      this.text.boldParagraph(lead)
      this.text.paragraph(rest.join('\n'))
    } else this.text.paragraph(words)
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (!table) return
    const rows = cellsOf(table)
    const outer = this.#openCell
    if (outer) {
      outer.words.push(rows.map((row) => row.map((cell) => cell.text).join(' | ')).join('; '))
    } else if (rows.every((row) => row.length <= 1)) {
      // A table of single cells is a frame around text.
      for (const { cells } of table.rows)
        for (const words of cells.flatMap((cell) => cell.words)) this.text.paragraph(words)
    } else writeTable(this.text, rows)
  }
}

function newParagraph(): Paragraph {
  return {
    text: '',
    style: '',
    outline: undefined,
    list: undefined,
    depth: 0,
    notes: [],
    isBold: true,
    isLeadBold: true,
  }
}

function readProperty(paragraph: Paragraph, name: string, attributes: Attributes): void {
  const value = attribute(attributes, 'val') ?? ''
  if (name === 'pStyle') paragraph.style = value
  else if (name === 'outlineLvl') paragraph.outline = Number(value)
  else if (name === 'numId') paragraph.list = value
  else if (name === 'ilvl') paragraph.depth = Number(value)
}

function readTableProperty(table: Table | undefined, name: string, attributes: Attributes): void {
  const row = table?.rows.at(-1)
  const cell = row?.cells.at(-1)
  if (table && name === 'tblStyle') table.style = attribute(attributes, 'val') ?? ''
  else if (table && name === 'tblLook') {
    const bits = Number.parseInt(attribute(attributes, 'val') ?? '0', 16)
    table.isFirstDifferent = attribute(attributes, 'firstRow') === '1' || (bits & 0x20) !== 0
  } else if (row && name === 'tblHeader') row.isHeader = isOn(attributes)
  else if (cell && name === 'gridSpan') {
    const columns = Number(attribute(attributes, 'val')) || 1
    cell.columns = Math.min(Math.max(columns, 1), MAX_COLUMNS)
  }
}

function isOn(attributes: Attributes): boolean {
  return !/^(?:0|false|off)$/.test(attribute(attributes, 'val') ?? '')
}

/** The first row is a header if the table marks it, if the style sets it apart, or if only this row is bold. */
function cellsOf({ rows, style, isFirstDifferent }: Table): TableCell[][] {
  const isStyled = isFirstDifferent && !PLAIN_TABLE.test(style)
  const areBold = rows.map(({ cells }) => cells.every((cell) => cell.isBold))
  return rows.map((row, i) => {
    const isFirst = i === 0 && (isStyled || (areBold[0] === true && areBold[1] === false))
    return row.cells.map(({ words, columns }) => ({
      text: words.join(' '),
      isHeader: row.isHeader || isFirst,
      columns,
      rows: 1,
    }))
  })
}
