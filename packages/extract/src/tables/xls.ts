import { CompoundFile } from '../containers/compound-file.ts'
import { damaged, locked } from '../containers/zip.ts'
import { codePageEncoding } from '../detect/code-pages.ts'
import { DocumentText } from '../document-text.ts'
import { titleInProperties } from '../office/ole-properties.ts'
import type { ExtractedText } from '../web/html.ts'
import { MergedCells } from './merged-cells.ts'
import { type Cell, cellOf, type Row, TableText } from './table-text.ts'
import { ContinuedReader, readString, recordsFrom, type XlsRecord } from './xls-records.ts'
import { builtInFormat, formatNumber } from './xlsx-values.ts'

// The relevant record types ([MS-XLS] 2.4).
const FORMULA = 0x06
const END = 0x0a
const DATE_MODE = 0x22
const PASSWORD = 0x2f
const CODE_PAGE = 0x42
const SHEET = 0x85
const MANY_NUMBERS = 0xbd
const RICH_LABEL = 0xd6
const STYLE = 0xe0
const MERGED = 0xe5
const STRINGS = 0xfc
const LABEL_BY_INDEX = 0xfd
const NUMBER = 0x203
const LABEL = 0x204
const TRUTH_OR_ERROR = 0x205
const FORMULA_TEXT = 0x207
const SHORT_NUMBER = 0x27e
const FORMAT = 0x41e
const BEGIN = 0x809

const EXCEL_97 = 0x600
const WORKSHEET = 0
const HAS_NO_NUMBER = 0xffff
const ERRORS = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
])

/** Extracts each visible sheet of Excel 5 to 2003 with its name and header. */
export function extractXls(bytes: Uint8Array): ExtractedText {
  try {
    const file = new CompoundFile(bytes)
    const { streams } = file.root
    const stream = streams.get('Workbook') ?? streams.get('Book')
    if (!stream) throw damaged()
    const stored = file.read(stream)
    const workbook = readWorkbook(stored)
    const text = new DocumentText()
    const seen = new Set<number>()
    for (const { name, at } of workbook.sheets) {
      // A hostile file can list the same sheet many times.
      if (seen.has(at)) continue
      seen.add(at)
      text.heading(1, name)
      new SheetReader(stored, workbook, new TableText(text)).read(at)
    }
    return { title: titleInProperties(file), text: text.toString() }
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error
  }
}

interface Workbook {
  sheets: { name: string; at: number }[]
  strings: string[]
  /** The number format of each cell style. */
  formats: string[]
  from1904: boolean
  /** The text encoding of workbooks before Excel 97. */
  encoding: string | undefined
}

function readWorkbook(stored: Buffer): Workbook {
  const codes = new Map<number, string>()
  const styles: number[] = []
  const workbook: Workbook = {
    sheets: [],
    strings: [],
    formats: [],
    from1904: false,
    encoding: undefined,
  }
  let codePage = 1252
  for (const record of recordsFrom(stored, 0)) {
    const { type, data } = record
    if (type === END) break
    if (type === PASSWORD) throw locked()
    if (type === BEGIN && data.readUInt16LE(0) < EXCEL_97) workbook.encoding = 'windows-1252'
    else if (type === CODE_PAGE) codePage = data.readUInt16LE(0)
    else if (type === DATE_MODE) workbook.from1904 = data.readUInt16LE(0) === 1
    else if (type === SHEET) addSheet(workbook, data)
    else if (type === STRINGS) workbook.strings = readStrings(stored, record)
    else if (type === STYLE) styles.push(data.readUInt16LE(2))
    else if (type === FORMAT) {
      const lengthBytes = workbook.encoding === undefined ? 2 : 1
      codes.set(data.readUInt16LE(0), readString(data, 2, lengthBytes, workbook.encoding))
    }
    if (workbook.encoding !== undefined) workbook.encoding = codePageEncoding(codePage)
  }
  workbook.formats = styles.map((id) => codes.get(id) ?? builtInFormat(id))
  return workbook
}

function addSheet({ sheets, encoding }: Workbook, data: Buffer): void {
  const isVisible = (data.readUInt8(4) & 3) === 0
  if (!isVisible || data.readUInt8(5) !== WORKSHEET) return
  sheets.push({ at: data.readUInt32LE(0), name: readString(data, 6, 1, encoding) })
}

function readStrings(stored: Buffer, record: XlsRecord): string[] {
  const strings: string[] = []
  const reader = new ContinuedReader(stored, record)
  const count = record.data.readUInt32LE(4)
  reader.skip(8)
  while (strings.length < count && !reader.isAtEnd) strings.push(reader.readString())
  return strings
}

class SheetReader {
  readonly #stored: Buffer
  readonly #workbook: Workbook
  readonly #table: TableText
  readonly #rows = new Map<number, Row>()
  readonly #merges = new MergedCells()
  /** The cell whose text is in the next record. */
  #awaiting: { row: number; column: number } | undefined

  constructor(stored: Buffer, workbook: Workbook, table: TableText) {
    this.#stored = stored
    this.#workbook = workbook
    this.#table = table
  }

  read(from: number): void {
    // Skip the records of embedded charts.
    let depth = 0
    for (const { type, data } of recordsFrom(this.#stored, from)) {
      if (type === BEGIN) depth += 1
      else if (type === END) depth -= 1
      else if (depth === 1) this.#tryRecord(type, data)
      if (depth <= 0) break
    }
    this.#write()
  }

  /** Skips records that are too short for their type. */
  #tryRecord(type: number, data: Buffer): void {
    try {
      this.#readRecord(type, data)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
  }

  #readRecord(type: number, data: Buffer): void {
    switch (type) {
      case LABEL_BY_INDEX:
        this.#set(data, cellOf(this.#workbook.strings[data.readUInt32LE(6)] ?? ''))
        break
      case LABEL:
      case RICH_LABEL:
        this.#set(data, cellOf(readString(data, 6, 2, this.#workbook.encoding)))
        break
      case NUMBER:
        this.#set(data, this.#number(data.readDoubleLE(6), data.readUInt16LE(4)))
        break
      case SHORT_NUMBER:
        this.#set(data, this.#number(shortNumber(data, 6), data.readUInt16LE(4)))
        break
      case TRUTH_OR_ERROR:
        this.#set(data, truthOrError(data.readUInt8(6), data.readUInt8(7) !== 0))
        break
      case MANY_NUMBERS:
        this.#readMany(data)
        break
      case FORMULA:
        this.#readFormula(data)
        break
      case FORMULA_TEXT:
        this.#readText(data)
        break
      case MERGED:
        this.#readMerges(data)
        break
    }
  }

  #set(data: Buffer, cell: Cell): void {
    this.#put(data.readUInt16LE(0), data.readUInt16LE(2), cell)
  }

  #put(row: number, column: number, cell: Cell): void {
    if (cell.text.trim() === '') return
    const cells: Row = this.#rows.get(row) ?? new Map()
    if (cells.size === 0) this.#rows.set(row, cells)
    cells.set(column, cell)
  }

  #number(value: number, style: number): Cell {
    const { formats, from1904 } = this.#workbook
    return { text: formatNumber(String(value), formats[style] ?? '', from1904), isWords: false }
  }

  #readMany(data: Buffer): void {
    const row = data.readUInt16LE(0)
    const first = data.readUInt16LE(2)
    for (let at = 4, column = first; at + 8 <= data.length; at += 6, column++) {
      this.#put(row, column, this.#number(shortNumber(data, at + 2), data.readUInt16LE(at)))
    }
  }

  /** Reads the result saved with the formula. */
  #readFormula(data: Buffer): void {
    const hasNumber = data.readUInt16LE(12) !== HAS_NO_NUMBER
    const kind = data.readUInt8(6)
    const value = data.readUInt8(8)
    if (hasNumber) this.#set(data, this.#number(data.readDoubleLE(6), data.readUInt16LE(4)))
    else if (kind === 0)
      this.#awaiting = { row: data.readUInt16LE(0), column: data.readUInt16LE(2) }
    else if (kind === 1 || kind === 2) this.#set(data, truthOrError(value, kind === 2))
  }

  #readText(data: Buffer): void {
    const place = this.#awaiting
    this.#awaiting = undefined
    const text = readString(data, 0, 2, this.#workbook.encoding)
    if (place) this.#put(place.row, place.column, cellOf(text))
  }

  #readMerges(data: Buffer): void {
    for (let at = 2; at + 8 <= data.length; at += 8) {
      const [top, bottom] = [data.readUInt16LE(at), data.readUInt16LE(at + 2)]
      const [left, right] = [data.readUInt16LE(at + 4), data.readUInt16LE(at + 6)]
      this.#merges.add([top, bottom], [left, right])
    }
  }

  #write(): void {
    let before = -1
    for (const [number, cells] of [...this.#rows].sort(([a], [b]) => a - b)) {
      if (number > before + 1) this.#table.add(new Map())
      before = number
      this.#table.add(this.#merges.complete(number, cells))
    }
    this.#table.end()
  }
}

function truthOrError(value: number, isError: boolean): Cell {
  if (isError) return cellOf(ERRORS.get(value) ?? '')
  return cellOf(value === 1 ? 'TRUE' : 'FALSE')
}

/** A number in four bytes: an integer or the upper half of a double, optionally divided by 100. */
function shortNumber(data: Buffer, at: number): number {
  const stored = data.readInt32LE(at)
  const half = Buffer.alloc(8)
  half.writeInt32LE(stored & ~3, 4)
  const value = stored & 2 ? stored >> 2 : half.readDoubleLE(0)
  return stored & 1 ? value / 100 : value
}
