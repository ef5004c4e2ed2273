import { decodeText } from './decode-text.ts'
import { DocumentText, oneLine } from './document-text.ts'
import { DocxNumbering } from './docx-numbering.ts'
import { type TableCell, writeTable } from './headed-table.ts'
import { type ExtractedText, extractHtml } from './html.ts'
import { OfficePackage } from './office-package.ts'
import { type Attributes, attribute, walkXml } from './xml.ts'

interface Style {
  name: string
  basedOn: string
  outline: number | undefined
  list: string | undefined
}

interface Paragraph {
  text: string
  style: string
  outline: number | undefined
  list: string | undefined
  depth: number
  notes: string[]
  isBold: boolean
  /** Its first line, where a line ends in it. */
  isLeadBold: boolean
}

interface Cell {
  words: string[]
  columns: number
  isBold: boolean
}

interface Table {
  rows: { cells: Cell[]; isHeader: boolean }[]
  style: string
  /** Its first row is to look different. */
  isFirstDifferent: boolean
}

interface Context {
  styles: Map<string, Style>
  numbering: DocxNumbering
  notes: Map<string, string>
  /** The text of an imported part. */
  imported: (id: string) => string
}

const MAX_COLUMNS = 100
// Styles that make nothing of a first row, though it is to look different.
const PLAIN_TABLE = /^$|^(?:table)?(?:grid|normal)(?:table)?$|^tablegridlight$|^plaintable/i

// What was deleted, moved away, or is there for old programs a second time.
const LEFT_OUT = new Set(['del', 'moveFrom', 'Fallback', 'rt'])

/** Word's text in its order: notes after their paragraph, headers first and footers last, each once. */
export function extractDocx(bytes: Uint8Array): ExtractedText {
  const file = new OfficePackage(bytes)
  const main = file.mainPart('word/document.xml')
  const relations = file.relationsOf(main)
  const partsOf = (type: string) => relations.filter((relation) => relation.type === type)
  const find = (type: string) => partsOf(type).flatMap(({ part }) => file.find(part) ?? [])[0]

  const context: Context = {
    styles: readStyles(find('styles')),
    numbering: new DocxNumbering(find('numbering')),
    notes: new Map(),
    imported: (id) => {
      const part = relations.find((relation) => relation.id === id)?.part ?? ''
      const content = /\.x?html?$/i.test(part) ? file.find(part) : undefined
      return content ? extractHtml(decodeText(content)).text : ''
    },
  }
  for (const type of ['footnote', 'endnote']) {
    readNotes(find(`${type}s`), type, context)
  }
  const edgesOf = (type: string) => {
    const texts = partsOf(type).map(({ part }) =>
      readPart(file.find(part), context).text.toString(),
    )
    return [...new Set(texts)].filter((text) => /\p{L}/u.test(text))
  }
  const body = readPart(file.find(main), context)
  const text = [...edgesOf('header'), body.text.toString(), ...edgesOf('footer')]
  return {
    title: file.title() || body.title,
    text: text.filter((part) => part !== '').join('\n\n'),
  }
}

function readPart(
  bytes: Uint8Array | undefined,
  context: Context,
): { text: DocumentText; title: string } {
  const text = new DocumentText()
  let title = ''
  const tables: Table[] = []
  const paragraphs: Paragraph[] = []
  let leftOut = 0
  let runDepth = 0
  let inText = false
  let hidden = false
  let isBold = false

  const openRow = () => tables.at(-1)?.rows.at(-1)
  const openCell = () => openRow()?.cells.at(-1)
  const write = (words: string) => {
    const paragraph = paragraphs.at(-1)
    if (!paragraph || leftOut > 0 || hidden) return
    const isLead = !paragraph.text.includes('\n')
    paragraph.text += words
    if (words.trim() === '') return
    paragraph.isBold &&= isBold
    if (isLead) paragraph.isLeadBold &&= isBold
    const cell = openCell()
    if (cell) cell.isBold &&= isBold
  }
  const endParagraph = ({ text: words, notes, ...paragraph }: Paragraph) => {
    const style = findStyle(context.styles, paragraph.style)
    const list = paragraph.list ?? style.list
    const isEmpty = words.trim() === ''
    const mark =
      list && list !== '0' && !isEmpty ? context.numbering.next(list, paragraph.depth) : ''
    const cell = openCell()
    if (cell) {
      if (!isEmpty) cell.words.push(mark === '' ? words : `${mark} ${words}`, ...notes)
      return
    }
    const outline = paragraph.outline ?? style.outline
    if (/^title$/i.test(style.name)) {
      title ||= oneLine(words)
      text.heading(1, words)
    } else if (outline !== undefined && outline < 9) {
      text.heading(outline + 1, mark === '' || mark === '-' ? words : `${mark} ${words}`)
    } else if (mark !== '') text.item(words, paragraph.depth, mark)
    else if (paragraph.isBold) text.boldParagraph(words)
    else if (paragraph.isLeadBold) {
      const [lead = '', ...rest] = words.trim().split('\n')
      text.boldParagraph(lead)
      text.paragraph(rest.join('\n'))
    } else text.paragraph(words)
    for (const note of notes) text.paragraph(note)
  }
  const endTable = (table: Table) => {
    const rows = cellsOf(table)
    const outer = openCell()
    if (outer) {
      outer.words.push(rows.map((row) => row.map((cell) => cell.text).join(' | ')).join('; '))
    } else if (rows.every((row) => row.length <= 1)) {
      // A frame around text, not a table.
      for (const { cells } of table.rows)
        for (const words of cells.flatMap((cell) => cell.words)) text.paragraph(words)
    } else writeTable(text, rows)
  }
  if (!bytes) return { text, title }
  walkXml(bytes, {
    open(name, attributes) {
      if (leftOut > 0 || LEFT_OUT.has(name)) {
        leftOut += 1
        return
      }
      const paragraph = paragraphs.at(-1)
      if (name === 'p') paragraphs.push(newParagraph())
      else if (name === 'tbl') tables.push({ rows: [], style: '', isFirstDifferent: false })
      else if (name === 'tr') tables.at(-1)?.rows.push({ cells: [], isHeader: false })
      else if (name === 'tc') openRow()?.cells.push({ words: [], columns: 1, isBold: true })
      else if (name === 'b' && runDepth > 0) isBold = isOn(attributes)
      else if (name === 'altChunk') text.preformatted(context.imported(relationId(attributes)))
      else if (name === 'r') runDepth += 1
      else if (name === 't') inText = true
      else if (name === 'vanish' && runDepth > 0) hidden = attribute(attributes, 'val') !== '0'
      else if (name === 'tab' && runDepth > 0) write('\t')
      else if (name === 'br' || name === 'cr') write('\n')
      else if (name === 'noBreakHyphen') write('-')
      else if (paragraph && /^(foot|end)noteReference$/.test(name)) {
        const note = context.notes.get(`${name.slice(0, -9)}:${attribute(attributes, 'id')}`)
        if (note) paragraph.notes.push(note)
      } else if (paragraph) readProperty(paragraph, name, attributes)
      else readTableProperty(tables.at(-1), name, attributes)
    },
    text(data) {
      if (inText) write(data)
    },
    close(name) {
      inText = false
      if (leftOut > 0) leftOut -= 1
      else if (name === 'p' && paragraphs.length > 0) endParagraph(paragraphs.pop()!)
      else if (name === 'tbl' && tables.length > 0) endTable(tables.pop()!)
      else if (name === 'r') {
        runDepth -= 1
        hidden = false
        isBold = false
      }
    },
  })
  return { text, title }
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

/** The first row is a header where the table says so, where its style makes it one, or where it alone is bold. */
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

function relationId(attributes: Attributes): string {
  return attribute(attributes, 'id') ?? ''
}

function readStyles(bytes: Uint8Array | undefined): Map<string, Style> {
  const styles = new Map<string, Style>()
  let style: Style | undefined
  if (!bytes) return styles
  walkXml(bytes, {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? ''
      if (name === 'style') {
        style = { name: '', basedOn: '', outline: undefined, list: undefined }
        styles.set(attribute(attributes, 'styleId') ?? '', style)
      } else if (style && name === 'name') {
        style.name = value
        const level = /^heading (\d)/i.exec(value)?.[1]
        if (level) style.outline = Number(level) - 1
      } else if (style && name === 'basedOn') style.basedOn = value
      else if (style && name === 'outlineLvl') style.outline = Number(value)
      else if (style && name === 'numId') style.list = value
    },
  })
  return styles
}

/** A style with what it takes over from those it is based on. */
function findStyle(styles: Map<string, Style>, id: string): Style {
  const found: Style = { name: '', basedOn: id, outline: undefined, list: undefined }
  for (let steps = 0; steps < 20 && found.basedOn !== ''; steps++) {
    const base = styles.get(found.basedOn)
    found.name ||= base?.name ?? ''
    found.outline ??= base?.outline
    found.list ??= base?.list
    found.basedOn = base?.basedOn ?? ''
  }
  return found
}

function readNotes(bytes: Uint8Array | undefined, element: string, context: Context): void {
  if (!bytes) return
  let id: string | undefined
  let words = ''
  let inText = false
  walkXml(bytes, {
    open(name, attributes) {
      if (name === element) {
        // The others are the lines that part notes from the text.
        const type = attribute(attributes, 'type') ?? 'normal'
        id = type === 'normal' ? attribute(attributes, 'id') : undefined
        words = ''
      } else if (name === 'p' || name === 'tab' || name === 'br') words += ' '
      inText = name === 't'
    },
    text(data) {
      if (inText) words += data
    },
    close(name) {
      inText = false
      if (name !== element || id === undefined || words.trim() === '') return
      const mark = element === 'footnote' ? 'Footnote' : 'Endnote'
      context.notes.set(`${element}:${id}`, `${mark}: ${oneLine(words)}`)
    },
  })
}
