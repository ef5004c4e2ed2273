import { DocumentText, oneLine } from './document-text.ts'
import { writeTable } from './headed-table.ts'
import type { ExtractedText } from './html.ts'
import { cellOf, type Row, TableText } from './table-text.ts'
import { type Attributes, attribute, walkXml } from './xml.ts'
import { locked, ZipArchive } from './zip.ts'

interface Paragraph {
  text: string
  level: number | undefined
}

interface Table {
  rows: Row[]
  /** How many of them it says to be headers. */
  headers: number
  /** The cell that is being read. */
  cell: string | undefined
  column: number
  repeats: number
}

// A cell may be said to stand there again and again; a sheet's empty end is written so.
const MAX_REPEATS = 100
const MAX_ALL_REPEATS = 100_000
const MAX_TEXT_COLUMNS = 100

// Comments, deleted text, how words are pronounced, a page's number, and what a form says to programs.
const LEFT_OUT = new Set(
  `annotation tracked-changes ruby-text page-number page-count forms sequence-decls
  date-time-decl footer-decl header-decl`.split(/\s+/),
)

/** Text, sheets and slides of OpenDocument: all are one `content.xml` of the same elements. */
export function extractOdf(bytes: Uint8Array): ExtractedText {
  const zip = new ZipArchive(bytes)
  const manifest = zip.find('META-INF/manifest.xml')
  if (manifest && Buffer.from(manifest).includes('encryption-data')) throw locked()
  const content = zip.find('content.xml')
  const text = new DocumentText()
  const styles = zip.find('styles.xml')
  const isText = /opendocument\.text/.test(new TextDecoder().decode(zip.find('mimetype')))
  for (const line of isText && styles ? readEdges(styles) : []) text.paragraph(line)
  if (content) readContent(content, text)
  const meta = zip.find('meta.xml')
  return { title: meta ? readTitle(meta) : '', text: text.toString() }
}

function readContent(bytes: Uint8Array, text: DocumentText): void {
  const paragraphs: Paragraph[] = []
  const tables: Table[] = []
  const notes: string[] = []
  const speakerNotes: string[] = []
  let leftOut = 0
  let listDepth = 0
  let noteDepth = 0
  let slides = 0
  let repeatsLeft = MAX_ALL_REPEATS
  let isNewSlide = false
  let isSheet = false
  let inTitle = false
  let inNotes = false
  let heading = ''

  // A slide whose first words are not its title.
  const beginUntitled = () => {
    if (isNewSlide) text.heading(1, `Slide ${slides}`)
    isNewSlide = false
  }
  const endParagraph = ({ text: words, level }: Paragraph) => {
    const table = tables.at(-1)
    if (!inTitle && words.trim() !== '') beginUntitled()
    if (noteDepth > 0) notes.push(words)
    else if (table?.cell !== undefined) table.cell += ` ${words}`
    else if (inTitle) heading += ` ${words}`
    else if (inNotes) speakerNotes.push(words)
    else if (level !== undefined) text.heading(level, words)
    else if (listDepth > 0) text.item(words, listDepth - 1)
    else text.paragraph(words)
    if (noteDepth === 0) for (const note of notes.splice(0)) text.paragraph(`Footnote: ${note}`)
  }
  const endTable = ({ rows, headers }: Table) => {
    const outer = tables.at(-1)
    if (outer?.cell !== undefined) {
      outer.cell += ` ${rows.map((row) => cellsOf(row).join(' | ')).join('; ')}`
    } else if (isSheet) {
      const table = new TableText(text)
      for (const row of rows) table.add(row)
      table.end()
    } else {
      const cells = rows.map((row, i) =>
        cellsOf(row).map((words) => ({ text: words, isHeader: i < headers, columns: 1, rows: 1 })),
      )
      writeTable(text, cells)
    }
  }
  const endCell = (table: Table) => {
    const words = oneLine(table.cell ?? '')
    table.cell = undefined
    const shown = words === '' ? 0 : Math.min(table.repeats, MAX_REPEATS, 1 + repeatsLeft)
    for (let i = 0; i < shown; i++) table.rows.at(-1)?.set(table.column + i, cellOf(words))
    repeatsLeft -= Math.max(shown - 1, 0)
    table.column += table.repeats
  }
  walkXml(bytes, {
    open(name, attributes) {
      if (leftOut > 0 || LEFT_OUT.has(name)) {
        leftOut += 1
        return
      }
      const paragraph = paragraphs.at(-1)
      const table = tables.at(-1)
      if (name === 'p' || name === 'h')
        paragraphs.push({ text: '', level: levelOf(name, attributes) })
      else if (name === 'spreadsheet') isSheet = true
      else if (name === 'page') {
        slides += 1
        isNewSlide = true
      } else if (name === 'frame' && slides > 0) {
        inTitle = attribute(attributes, 'class') === 'title'
      } else if (name === 'notes') inNotes = true
      else if (name === 'list') listDepth += 1
      else if (name === 'note-body') noteDepth += 1
      else if (name === 'note-citation') leftOut += 1
      else if (name === 'table') {
        if (isSheet) text.heading(1, attribute(attributes, 'name') ?? '')
        tables.push({ rows: [], headers: 0, cell: undefined, column: 0, repeats: 1 })
      } else if (table && name === 'table-row') {
        table.rows.push(new Map())
        table.column = 0
      } else if (table && /^(covered-)?table-cell$/.test(name)) {
        table.repeats = Math.max(Number(attribute(attributes, 'number-columns-repeated') ?? 1), 1)
        table.cell = ''
      } else if (paragraph && name === 's') {
        paragraph.text += ' '.repeat(Math.min(Number(attribute(attributes, 'c') ?? 1), 100))
      } else if (paragraph && name === 'tab') paragraph.text += ' '
      else if (paragraph && name === 'line-break') paragraph.text += '\n'
    },
    text(data) {
      const paragraph = paragraphs.at(-1)
      if (leftOut === 0 && paragraph) paragraph.text += data.replace(/\s+/g, ' ')
    },
    close(name) {
      if (leftOut > 0) {
        leftOut -= 1
        return
      }
      const table = tables.at(-1)
      if ((name === 'p' || name === 'h') && paragraphs.length > 0) endParagraph(paragraphs.pop()!)
      else if (name === 'frame' && inTitle) {
        inTitle = false
        if (heading.trim() !== '') isNewSlide = false
        text.heading(1, heading)
        heading = ''
      } else if (name === 'notes') {
        inNotes = false
        const words = speakerNotes.splice(0).filter((line) => line.trim() !== '')
        if (words.length > 0) text.paragraph(`Notes: ${words.join('\n')}`)
      } else if (name === 'list') listDepth -= 1
      else if (name === 'note-body') noteDepth -= 1
      else if (name === 'table-header-rows' && table) table.headers = table.rows.length
      else if (name === 'table' && table) endTable(tables.pop()!)
      else if (table && /^(covered-)?table-cell$/.test(name)) endCell(table)
    },
  })
}

function levelOf(name: string, attributes: Attributes): number | undefined {
  return name === 'h' ? Number(attribute(attributes, 'outline-level') ?? 1) : undefined
}

/** With the empty ones between them. */
function cellsOf(row: Row): string[] {
  const cells: string[] = []
  for (const [column, { text }] of row) {
    if (column > MAX_TEXT_COLUMNS) break
    while (cells.length < column) cells.push('')
    cells.push(text)
  }
  return cells
}

/** Headers and footers of the pages, each once. */
function readEdges(styles: Uint8Array): Set<string> {
  const lines = new Set<string>()
  let depth = 0
  let leftOut = 0
  let words = ''
  walkXml(styles, {
    open(name) {
      if (name === 'header' || name === 'footer') depth += 1
      if (leftOut > 0 || LEFT_OUT.has(name)) leftOut += 1
    },
    text(data) {
      if (depth > 0 && leftOut === 0) words += data
    },
    close(name) {
      if (leftOut > 0) leftOut -= 1
      if (name === 'header' || name === 'footer') depth -= 1
      if (name !== 'p' && name !== 'h') return
      if (/\p{L}/u.test(words)) lines.add(oneLine(words))
      words = ''
    },
  })
  return lines
}

function readTitle(meta: Uint8Array): string {
  let title = ''
  let inTitle = false
  walkXml(meta, {
    open(name) {
      inTitle = name === 'title'
    },
    text(data) {
      if (inTitle) title += data
    },
    close() {
      inTitle = false
    },
  })
  return oneLine(title)
}
