// Word before 2007 stores formatting in pages of 512 bytes. Each page lists runs of bytes in the main stream and their
// properties, as records with numbers for names ([MS-DOC] 2.4.6 and 2.6).

const PAGE_BYTES = 512
const PARAGRAPH_ENTRY_BYTES = 13

const IN_TABLE = 0x2416
const ENDS_ROW = 0x2417
const LIST = 0x460b
const OUTLINE_LEVEL = 0x2640
const DELETED = 0x0800
const BOLD = 0x0835
const HIDDEN = 0x083c
const SYMBOL = 0x6a09
const TABLE_DEFINITION = 0xd608
const HIGHEST_HEADING = 9

/** A range of bytes in the main stream. */
interface Run {
  start: number
  end: number
}

export interface ParagraphLook extends Run {
  /** 1 to 9. */
  headingLevel: number | undefined
  isItem: boolean
  isInTable: boolean
  endsRow: boolean
}

export interface LetterLook extends Run {
  /** Hidden text, text deleted under change tracking, or a character of a symbol font. */
  isUnseen: boolean
  isBold: boolean
}

/** Position of a page list in the table stream. */
export type Place = { at: number; length: number }

export function paragraphLooks(main: Buffer, table: Buffer, place: Place): Runs<ParagraphLook> {
  return readPages(main, table, place, PARAGRAPH_ENTRY_BYTES, (page, entry, run) => {
    const at = page.readUInt8(entry) * 2
    const words = page[at] ?? 0
    const start = words === 0 ? at + 2 : at + 1
    const end = words === 0 ? start + (page[at + 1] ?? 0) * 2 : at + words * 2
    // Styles 1 to 9 are always the headings. Style 0 is normal text.
    const style = at === 0 || start + 2 > PAGE_BYTES ? 0 : page.readUInt16LE(start)
    const look: ParagraphLook = {
      ...run,
      headingLevel: style >= 1 && style <= HIGHEST_HEADING ? style : undefined,
      isItem: false,
      isInTable: false,
      endsRow: false,
    }
    if (at === 0) return look
    for (const { name, value } of propertiesOf(page.subarray(start + 2, end))) {
      if (name === IN_TABLE) look.isInTable = value !== 0
      else if (name === ENDS_ROW) look.endsRow = value !== 0
      else if (name === LIST) look.isItem = value !== 0
      else if (name === OUTLINE_LEVEL && value < HIGHEST_HEADING) look.headingLevel = value + 1
    }
    return look
  })
}

export function letterLooks(main: Buffer, table: Buffer, place: Place): Runs<LetterLook> {
  return readPages(main, table, place, 1, (page, entry, run) => {
    const at = page.readUInt8(entry) * 2
    const look: LetterLook = { ...run, isUnseen: false, isBold: false }
    if (at === 0) return look
    for (const { name, value } of propertiesOf(page.subarray(at + 1, at + 1 + (page[at] ?? 0)))) {
      if (name === HIDDEN || name === DELETED) look.isUnseen ||= value === 1
      else if (name === SYMBOL) look.isUnseen = true
      else if (name === BOLD) look.isBold = value === 1
    }
    return look
  })
}

function readPages<T extends Run>(
  main: Buffer,
  table: Buffer,
  { at, length }: Place,
  entryBytes: number,
  read: (page: Buffer, entry: number, run: Run) => T,
): Runs<T> {
  // A hostile file may name a page many times. Each page is read once.
  const seen = new Set<number>()
  const looks: T[] = []
  const count = Math.max(0, Math.floor((length - 4) / 8))
  const numbers = at + (count + 1) * 4
  for (let i = 0; i < count && numbers + (i + 1) * 4 <= table.length; i++) {
    const number = table.readUInt32LE(numbers + i * 4) & 0x3fffff
    const page = main.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES)
    if (seen.has(number) || page.length < PAGE_BYTES) continue
    seen.add(number)
    const runs = page[PAGE_BYTES - 1]!
    if (runs * (4 + entryBytes) + 4 >= PAGE_BYTES) continue
    for (let run = 0; run < runs; run++) {
      const start = page.readUInt32LE(run * 4)
      const end = page.readUInt32LE(run * 4 + 4)
      if (end > start) looks.push(read(page, (runs + 1) * 4 + run * entryBytes, { start, end }))
    }
  }
  return new Runs(looks)
}

function* propertiesOf(bytes: Buffer): Generator<{ name: number; value: number }> {
  for (let at = 0; at + 3 <= bytes.length; ) {
    const name = bytes.readUInt16LE(at)
    const size = sizeOf(name, bytes, at + 2)
    if (at + 2 + size > bytes.length) return
    const value = size >= 2 && size <= 4 ? bytes.readUInt16LE(at + 2) : bytes.readUInt8(at + 2)
    yield { name, value }
    at += 2 + size
  }
}

function sizeOf(name: number, bytes: Buffer, at: number): number {
  const kind = name >> 13
  if (kind <= 1) return 1
  if (kind === 3) return 4
  if (kind === 7) return 3
  if (kind !== 6) return 2
  return name === TABLE_DEFINITION && at + 2 <= bytes.length
    ? bytes.readUInt16LE(at) + 1
    : bytes.readUInt8(at) + 1
}

/** Remembers the last run, because callers ask for consecutive positions. */
export class Runs<T extends Run> {
  readonly #runs: T[]
  #last: T | undefined

  constructor(runs: T[]) {
    this.#runs = runs.sort((a, b) => a.start - b.start)
  }

  at(place: number): T | undefined {
    const { start = 0, end = 0 } = this.#last ?? {}
    if (start <= place && place < end) return this.#last
    let low = 0
    let high = this.#runs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#runs[middle]!.start <= place) low = middle + 1
      else high = middle
    }
    const found = this.#runs[low - 1]
    this.#last = found && place < found.end ? found : undefined
    return this.#last
  }
}
