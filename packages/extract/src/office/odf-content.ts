import { type Attributes, attribute, walkXml } from '../containers/xml.ts'
import { type DocumentText, oneLine } from '../document-text.ts'
import { writeRows } from '../tables/headed-table.ts'
import { cellOf, type Row, TableText } from '../tables/table-text.ts'
import { OdfSlides } from './odf-slides.ts'

interface Paragraph {
  text: string
  level: number | undefined
}

interface Table {
  rows: Row[]
  /** How many rows at the top are marked as headers. */
  headers: number
  /** The text of the cell that is being read. */
  cell: string | undefined
  column: number
  repeats: number
}

// An attribute repeats a cell. Sheets write their empty end that way.
const MAX_REPEATS = 100
const MAX_ALL_REPEATS = 100_000
const MAX_TEXT_COLUMNS = 100
const MAX_BLANKS = 100
const CELLS = new Set(['table-cell', 'covered-table-cell'])

// Comments, deleted text, pronunciation (ruby), page numbers, and form data for programs.
export const LEFT_OUT = new Set(
  `annotation tracked-changes ruby-text page-number page-count forms sequence-decls
  date-time-decl footer-decl header-decl`.split(/\s+/),
)

/** Writes the text of `content.xml` in document order. */
export function readContent(bytes: Uint8Array | undefined, text: DocumentText): void {
  walkXml(bytes, new ContentReader(text))
}

class ContentReader {
  readonly #text: DocumentText
  readonly #slides: OdfSlides
  /** Open paragraphs and tables, the innermost last. */
  readonly #paragraphs: Paragraph[] = []
  readonly #tables: Table[] = []
  /** Footnotes are written after the paragraph that refers to them. */
  #notes: string[] = []
  #leftOut = 0
  #listDepth = 0
  #noteDepth = 0
  #isSheet = false
  #repeatsLeft = MAX_ALL_REPEATS

  constructor(text: DocumentText) {
    this.#text = text
    this.#slides = new OdfSlides(text)
  }

  open(name: string, attributes: Attributes): void {
    if (this.#leftOut > 0 || LEFT_OUT.has(name) || name === 'note-citation') {
      this.#leftOut += 1
      return
    }
    const paragraph = this.#paragraphs.at(-1)
    const table = this.#tables.at(-1)
    if (name === 'p') this.#paragraphs.push({ text: '', level: undefined })
    else if (name === 'h')
      this.#paragraphs.push({
        text: '',
        level: Number(attribute(attributes, 'outline-level') ?? 1),
      })
    else if (name === 'list') this.#listDepth += 1
    else if (name === 'note-body') this.#noteDepth += 1
    else if (name === 'page') this.#slides.openSlide()
    else if (name === 'frame') this.#slides.openFrame(attribute(attributes, 'class') === 'title')
    else if (name === 'notes') this.#slides.openNotes()
    else if (name === 'spreadsheet') this.#isSheet = true
    else if (name === 'table') this.#openTable(attributes)
    else if (table && name === 'table-row') openRow(table)
    else if (table && CELLS.has(name)) openCell(table, attributes)
    else if (paragraph) paragraph.text += blankOf(name, attributes)
  }

  read(data: string): void {
    const paragraph = this.#paragraphs.at(-1)
    if (this.#leftOut === 0 && paragraph) paragraph.text += data.replace(/\s+/g, ' ')
  }

  close(name: string): void {
    if (this.#leftOut > 0) {
      this.#leftOut -= 1
      return
    }
    const table = this.#tables.at(-1)
    if (name === 'p' || name === 'h') this.#endParagraph()
    else if (name === 'list') this.#listDepth -= 1
    else if (name === 'note-body') this.#noteDepth -= 1
    else if (name === 'frame') this.#slides.closeFrame()
    else if (name === 'notes') this.#slides.closeNotes()
    else if (name === 'table') this.#endTable()
    else if (table && name === 'table-header-rows') table.headers = table.rows.length
    else if (table && CELLS.has(name)) this.#endCell(table)
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop()
    if (!paragraph) return
    const { text: words } = paragraph
    const table = this.#tables.at(-1)
    if (words.trim() !== '') this.#slides.beginUntitled()
    if (this.#noteDepth > 0) this.#notes.push(words)
    else if (table?.cell !== undefined) table.cell += ` ${words}`
    else if (!this.#slides.keep(words)) this.#writeParagraph(paragraph)
    if (this.#noteDepth === 0) this.#writeNotes()
  }

  #writeParagraph({ text: words, level }: Paragraph): void {
    if (level !== undefined) this.#text.heading(level, words)
    else if (this.#listDepth > 0) this.#text.item(words, this.#listDepth - 1)
    else this.#text.paragraph(words)
  }

  #writeNotes(): void {
    for (const note of this.#notes) this.#text.paragraph(`Footnote: ${note}`)
    this.#notes = []
  }

  #openTable(attributes: Attributes): void {
    if (this.#isSheet) this.#text.heading(1, attribute(attributes, 'name') ?? '')
    this.#tables.push({ rows: [], headers: 0, cell: undefined, column: 0, repeats: 1 })
  }

  #endCell(table: Table): void {
    const words = oneLine(table.cell ?? '')
    table.cell = undefined
    const shown = words === '' ? 0 : Math.min(table.repeats, MAX_REPEATS, 1 + this.#repeatsLeft)
    for (let i = 0; i < shown; i++) table.rows.at(-1)?.set(table.column + i, cellOf(words))
    this.#repeatsLeft -= Math.max(shown - 1, 0)
    table.column += table.repeats
  }

  #endTable(): void {
    const table = this.#tables.pop()
    if (!table) return
    const outer = this.#tables.at(-1)
    if (outer?.cell !== undefined) {
      outer.cell += ` ${table.rows.map((row) => cellsOf(row).join(' | ')).join('; ')}`
    } else if (this.#isSheet) writeSheet(this.#text, table)
    else writeRows(this.#text, table.rows.map(cellsOf), table.headers)
  }
}

/** The whitespace that an element inside a paragraph stands for; empty for other elements. */
function blankOf(name: string, attributes: Attributes): string {
  if (name === 's') return ' '.repeat(countOf(attributes, 'c', MAX_BLANKS))
  if (name === 'tab') return ' '
  return name === 'line-break' ? '\n' : ''
}

/** How often an element is repeated; 1 if the attribute is not a number. */
function countOf(attributes: Attributes, name: string, most: number): number {
  const count = Math.trunc(Number(attribute(attributes, name)))
  return count >= 1 ? Math.min(count, most) : 1
}

function openRow(table: Table): void {
  table.rows.push(new Map())
  table.column = 0
}

function openCell(table: Table, attributes: Attributes): void {
  table.repeats = countOf(attributes, 'number-columns-repeated', Number.MAX_SAFE_INTEGER)
  table.cell = ''
}

function writeSheet(text: DocumentText, { rows }: Table): void {
  const table = new TableText(text)
  for (const row of rows) table.add(row)
  table.end()
}

/** Fills gaps with empty cells. */
function cellsOf(row: Row): string[] {
  const cells: string[] = []
  for (const [column, { text }] of row) {
    if (column > MAX_TEXT_COLUMNS) break
    while (cells.length < column) cells.push('')
    cells.push(text)
  }
  return cells
}
