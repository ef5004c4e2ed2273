import { attribute, prefixedAttribute, walkXml } from '../containers/xml.ts'
import { DocumentText } from '../document-text.ts'
import { OfficePackage } from '../office/office-package.ts'
import type { ExtractedText } from '../web/html.ts'
import { MergedCells } from './merged-cells.ts'
import { type Cell, cellOf, type Row, TableText } from './table-text.ts'
import { builtInFormat, formatNumber } from './xlsx-values.ts'

interface Workbook {
  sheets: { name: string; id: string }[]
  from1904: boolean
  strings: string[]
  /** The number format of each cell style. */
  formats: string[]
}

/** Extracts each visible sheet with its name and header. */
export function extractXlsx(bytes: Uint8Array): ExtractedText {
  const file = new OfficePackage(bytes)
  const main = file.mainPart('xl/workbook.xml')
  const relations = file.relationsOf(main)
  const find = (type: string) => {
    const part = relations.find((relation) => relation.type === type)?.part
    return part === undefined ? undefined : file.find(part)
  }
  const workbook: Workbook = {
    ...readWorkbook(file.find(main)),
    strings: readStrings(find('sharedStrings')),
    formats: readFormats(find('styles')),
  }
  const text = new DocumentText()
  for (const { name, id } of workbook.sheets) {
    const part = relations.find((relation) => relation.id === id)
    // A chart sheet has no cells.
    const sheet = part?.type === 'worksheet' ? file.find(part.part) : undefined
    if (!sheet) continue
    text.heading(1, name)
    readSheet(sheet, workbook, new TableText(text))
  }
  return { title: file.title(), text: text.toString() }
}

function readWorkbook(bytes: Uint8Array | undefined): Pick<Workbook, 'sheets' | 'from1904'> {
  const sheets: Workbook['sheets'] = []
  let from1904 = false
  walkXml(bytes, {
    open(name, attributes) {
      if (name === 'workbookPr') {
        from1904 = /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      }
      if (name === 'sheet' && (attribute(attributes, 'state') ?? 'visible') === 'visible') {
        const id = prefixedAttribute(attributes, 'id') ?? ''
        sheets.push({ name: attribute(attributes, 'name') ?? '', id })
      }
    },
  })
  return { sheets, from1904 }
}

function readStrings(bytes: Uint8Array | undefined): string[] {
  const strings: string[] = []
  let current = ''
  let inText = false
  // Skip the phonetic hints of Japanese text.
  let phonetic = 0
  walkXml(bytes, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') phonetic += 1
      inText = name === 't' && phonetic === 0
    },
    read(data) {
      if (inText) current += data
    },
    close(name) {
      inText = false
      if (name === 'rPh') phonetic -= 1
      if (name === 'si') strings.push(current)
    },
  })
  return strings
}

function readFormats(bytes: Uint8Array | undefined): string[] {
  const codes = new Map<number, string>()
  const formats: string[] = []
  let inCells = false
  walkXml(bytes, {
    open(name, attributes) {
      const id = Number(attribute(attributes, 'numFmtId'))
      if (name === 'numFmt') codes.set(id, attribute(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) formats.push(codes.get(id) ?? builtInFormat(id))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
  })
  return formats
}

/** Reads only existing cells, however large the sheet claims to be. */
function readSheet(bytes: Uint8Array, workbook: Workbook, table: TableText): void {
  const { strings, formats, from1904 } = workbook
  let row: Row = new Map()
  let lastRow = 0
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let inValue = false
  let phonetic = 0

  const merges = readMerges(bytes)

  const readValue = (): Cell => {
    if (type === 's') return cellOf(strings[Number(value)] ?? '')
    if (type === 'b') return cellOf(value === '1' ? 'TRUE' : 'FALSE')
    if (type !== '' && type !== 'n') return cellOf(value)
    return { text: formatNumber(value, formats[style] ?? '', from1904), isWords: false }
  }
  walkXml(bytes, {
    open(name, attributes) {
      if (name === 'row') {
        const number = Number(attribute(attributes, 'r') ?? lastRow + 1)
        if (number > lastRow + 1) table.add(new Map())
        lastRow = number
        row = new Map()
        column = -1
      } else if (name === 'c') {
        const letters = /^[A-Z]{1,3}/.exec(attribute(attributes, 'r') ?? '')?.[0]
        column = letters ? columnOf(letters) : column + 1
        type = attribute(attributes, 't') ?? ''
        style = Number(attribute(attributes, 's') ?? 0)
        value = ''
      } else if (name === 'rPh') phonetic += 1
      inValue = (name === 'v' || name === 't') && phonetic === 0
    },
    read(data) {
      if (inValue) value += data
    },
    close(name) {
      inValue = false
      if (name === 'rPh') phonetic -= 1
      else if (name === 'c' && value.trim() !== '') row.set(column, readValue())
      else if (name === 'row') table.add(merges.complete(lastRow, row))
    },
  })
  table.end()
}

// The limit in bytes of the list of merged cells.
const MAX_MERGES = 1_000_000
const MERGED = /<(?:\w+:)?mergeCell ref="([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)"/g

/** Merged cells are listed after the cells but needed before, so this searches the bytes directly. */
function readMerges(bytes: Uint8Array): MergedCells {
  const merges = new MergedCells()
  const sheet = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const start = sheet.indexOf('mergeCells')
  const list = start === -1 ? '' : sheet.toString('latin1', start, start + MAX_MERGES)
  for (const [, left, top, right, bottom] of list.matchAll(MERGED)) {
    merges.add([Number(top), Number(bottom)], [columnOf(left!), columnOf(right!)])
  }
  return merges
}

function columnOf(letters: string): number {
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}
