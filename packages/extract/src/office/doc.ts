import { CompoundFile } from '../containers/compound-file.ts'
import { damaged, locked } from '../containers/zip.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { IngestionError } from '../ingestion-error.ts'
import { writeRows } from '../tables/headed-table.ts'
import { MAX_CHARACTERS, TOO_LONG } from '../text-limit.ts'
import type { ExtractedText } from '../web/html.ts'
import {
  type CharacterFormat,
  letterLooks,
  type ParagraphFormat,
  paragraphLooks,
  Runs,
} from './doc-formatting.ts'
import { titleInProperties } from './ole-properties.ts'

// Offsets and flags at the beginning of the main stream ([MS-DOC] 2.5).
const MAGIC = 0xa5ec
const FLAGS = 0x0a
const IS_LOCKED = 0x100
const USES_SECOND_TABLE = 0x200
const LENGTHS = 0x4c
const LETTER_PAGES = 0xfa
const PARAGRAPH_PAGES = 0x102
const PIECES = 0x1a2

// Word 6 and 95 store the text as one block.
const OLD_TEXT_START = 0x18
const OLD_TEXT_END = 0x1c

const CELL_OR_ROW_END = 0x07
const LINE_BREAK = 0x0b
const PAGE_BREAK = 0x0c
const PARAGRAPH_END = 0x0d
const COLUMN_BREAK = 0x0e
const FIELD_BEGIN = 0x13
const FIELD_RESULT = 0x14
const FIELD_END = 0x15
const HARD_HYPHEN = 0x1e

/** Reads Word 97 to 2003: headings, lists and tables, then notes and text boxes. Headers and comments are left out. */
export function extractDoc(bytes: Uint8Array): ExtractedText {
  try {
    const file = new CompoundFile(bytes)
    const read = (name: string) => {
      const stream = file.root.streams.get(name)
      return stream && file.read(stream)
    }
    const main = read('WordDocument')
    if (!main) throw damaged()
    const flags = main.readUInt16LE(FLAGS)
    if (flags & IS_LOCKED) throw locked()
    const title = titleInProperties(file)
    const table = read(flags & USES_SECOND_TABLE ? '1Table' : '0Table')
    const isOld = main.readUInt16LE(0) !== MAGIC
    if (!table && !isOld) throw damaged()
    return { title, text: new DocReader(main, isOld ? undefined : table).read() }
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error
  }
}

interface Piece {
  start: number
  length: number
  bytesPerCharacter: 1 | 2
}

class DocReader {
  readonly #main: Buffer
  readonly #pieces: Piece[]
  readonly #paragraphs: Runs<ParagraphFormat>
  readonly #letters: Runs<CharacterFormat>
  /** Lengths of the document's parts in characters. */
  readonly #lengths: number[]
  readonly #text = new DocumentText()
  #paragraph = ''
  #isBold = true
  #cells: string[] = []
  #rows: string[][] = []
  /** Open fields. A field's result is visible, its instruction is not. */
  #fields: { isSeen: boolean }[] = []
  #unseenFields = 0

  /** Without a table stream, the text is one block of one-byte characters, and formatting is not read. */
  constructor(main: Buffer, table: Buffer | undefined) {
    const place = (at: number) => ({ at: main.readUInt32LE(at), length: main.readUInt32LE(at + 4) })
    this.#main = main
    this.#pieces = table ? readPieces(table, place(PIECES)) : [onlyPiece(main)]
    this.#paragraphs = table ? paragraphLooks(main, table, place(PARAGRAPH_PAGES)) : new Runs([])
    this.#letters = table ? letterLooks(main, table, place(LETTER_PAGES)) : new Runs([])
    this.#lengths = Array.from({ length: 7 }, (_, i) =>
      table ? main.readUInt32LE(LENGTHS + i * 4) : 0,
    )
    if (!table) this.#lengths[0] = this.#pieces[0]!.length
  }

  read(): string {
    const [
      body = 0,
      footnotes = 0,
      headers = 0,
      macros = 0,
      comments = 0,
      endnotes = 0,
      boxes = 0,
    ] = this.#lengths
    this.#readRange(0, body)
    this.#readRange(body, footnotes)
    const after = body + footnotes + headers + macros + comments
    this.#readRange(after, endnotes + boxes)
    return this.#text.toString()
  }

  #readRange(from: number, length: number): void {
    let position = 0
    for (const piece of this.#pieces) {
      const start = Math.max(from - position, 0)
      const end = Math.min(from + length - position, piece.length)
      if (start < end) this.#readPiece(piece, start, end)
      position += piece.length
    }
    this.#endParagraph(undefined)
    this.#endTable()
    this.#fields = []
    this.#unseenFields = 0
  }

  #readPiece({ start, bytesPerCharacter }: Piece, from: number, to: number): void {
    const first = start + from * bytesPerCharacter
    const stored = this.#main.subarray(first, start + to * bytesPerCharacter)
    const characters =
      bytesPerCharacter === 1
        ? new TextDecoder('windows-1252').decode(stored)
        : stored.toString('utf16le')
    for (let i = 0; i < characters.length; i++) {
      this.#readCharacter(characters, i, first + i * bytesPerCharacter)
    }
  }

  #readCharacter(characters: string, i: number, place: number): void {
    const code = characters.charCodeAt(i)
    if (code === FIELD_BEGIN) this.#openField()
    else if (code === FIELD_RESULT) this.#showField()
    else if (code === FIELD_END) this.#closeField()
    else if (code === CELL_OR_ROW_END) this.#endCell(this.#paragraphs.at(place))
    else if (code === PARAGRAPH_END || code === PAGE_BREAK) {
      const look = this.#paragraphs.at(place)
      // Paragraphs of one cell stay together.
      if (look?.isInTable) this.#paragraph += ' '
      else this.#endParagraph(look)
    } else if (this.#unseenFields === 0) this.#append(characters[i]!, code, place)
  }

  #openField(): void {
    this.#fields.push({ isSeen: false })
    this.#unseenFields += 1
  }

  #showField(): void {
    const field = this.#fields.at(-1)
    if (!field || field.isSeen) return
    field.isSeen = true
    this.#unseenFields -= 1
  }

  #closeField(): void {
    this.#showField()
    this.#fields.pop()
  }

  #append(character: string, code: number, place: number): void {
    const look = this.#letters.at(place)
    if (look?.isInvisible) return
    if (code === LINE_BREAK || code === COLUMN_BREAK) this.#paragraph += '\n'
    else if (code === HARD_HYPHEN) this.#paragraph += '-'
    else if (code >= 0x20 || character === '\t') {
      this.#paragraph += character
      if (code > 0x20) this.#isBold &&= look?.isBold === true
    }
  }

  #endCell(look: ParagraphFormat | undefined): void {
    // Without formatting, an empty cell after others marks the end of a row.
    const looksLikeEnd = !look && this.#cells.length > 0 && this.#paragraph === ''
    if (look?.endsRow || looksLikeEnd) {
      this.#rows.push(this.#cells.splice(0))
    } else this.#cells.push(oneLine(this.#paragraph))
    this.#paragraph = ''
    this.#isBold = true
  }

  #endParagraph(look: ParagraphFormat | undefined): void {
    const words = this.#paragraph
    this.#paragraph = ''
    if (words.trim() !== '') {
      this.#endTable()
      if (look?.headingLevel) this.#text.heading(look.headingLevel, words)
      else if (look?.isItem) this.#text.item(words)
      else if (this.#isBold) this.#text.boldParagraph(words)
      else this.#text.paragraph(words)
    }
    this.#isBold = true
  }

  #endTable(): void {
    if (this.#cells.length > 0) this.#rows.push(this.#cells.splice(0))
    const rows = this.#rows.splice(0)
    if (rows.length > 0) writeRows(this.#text, rows)
  }
}

function onlyPiece(main: Buffer): Piece {
  const start = main.readUInt32LE(OLD_TEXT_START)
  const length = Math.min(main.readUInt32LE(OLD_TEXT_END), main.length) - start
  if (length < 0) throw damaged()
  if (length > MAX_CHARACTERS) throw new IngestionError('fail', TOO_LONG)
  return { start, length, bytesPerCharacter: 1 }
}

/** The pieces of the text in document order ([MS-DOC] 2.8.35). */
function readPieces(table: Buffer, { at, length }: { at: number; length: number }): Piece[] {
  const list = table.subarray(at, at + length)
  let from = 0
  // Formatting changes come first. Skip them.
  while (list.readUInt8(from) === 1) from += 3 + list.readUInt16LE(from + 1)
  if (list.readUInt8(from) !== 2) throw damaged()
  const count = Math.floor((list.readUInt32LE(from + 1) - 4) / 12)
  const positions = from + 5
  const places = positions + (count + 1) * 4
  const pieces: Piece[] = []
  let total = 0
  for (let i = 0; i < count; i++) {
    const start = list.readUInt32LE(positions + i * 4)
    const end = list.readUInt32LE(positions + i * 4 + 4)
    if (end < start) throw damaged()
    // A hostile file may name the same bytes many times.
    total += end - start
    if (total > MAX_CHARACTERS) throw new IngestionError('fail', TOO_LONG)
    const stored = list.readUInt32LE(places + i * 8 + 2)
    const isOneByte = (stored & 0x40000000) !== 0
    const place = stored & 0x3fffffff
    pieces.push({
      start: isOneByte ? place / 2 : place,
      length: end - start,
      bytesPerCharacter: isOneByte ? 1 : 2,
    })
  }
  return pieces
}
