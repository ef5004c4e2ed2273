import { damaged } from '../containers/zip.ts'

const CONTINUED = 0x3c
const HEAD_BYTES = 4
const WIDE = 0x01
const EXTENDED = 0x04
const RICH = 0x08

export interface XlsRecord {
  type: number
  data: Buffer
  /** The offset in the stream. */
  at: number
}

/** The records of an Excel workbook before 2007, from an offset on. Skips a truncated last record. */
export function* recordsFrom(workbook: Buffer, from: number): Generator<XlsRecord> {
  for (let at = from; at + HEAD_BYTES <= workbook.length; ) {
    const end = at + HEAD_BYTES + workbook.readUInt16LE(at + 2)
    if (end > workbook.length) return
    yield { type: workbook.readUInt16LE(at), data: workbook.subarray(at + HEAD_BYTES, end), at }
    at = end
  }
}

/** Reads values that span several records. */
export class ContinuedReader {
  readonly #parts: Buffer[]
  #part = 0
  #at = 0

  constructor(workbook: Buffer, { data, at }: XlsRecord) {
    this.#parts = [data]
    for (const record of recordsFrom(workbook, at + HEAD_BYTES + data.length)) {
      if (record.type !== CONTINUED) break
      this.#parts.push(record.data)
    }
  }

  get isAtEnd(): boolean {
    return this.#part >= this.#parts.length - 1 && this.#left === 0
  }

  get #left(): number {
    return (this.#parts[this.#part]?.length ?? 0) - this.#at
  }

  /** Reads a string with a two-byte length and skips its formatting. */
  readString(): string {
    const length = this.#number(2)
    const flags = this.#number(1)
    const runs = flags & RICH ? this.#number(2) : 0
    const extension = flags & EXTENDED ? this.#number(4) : 0
    const text = this.#characters(length, (flags & WIDE) !== 0)
    this.skip(runs * 4 + extension)
    return text
  }

  skip(bytes: number): void {
    let left = bytes
    while (left > 0) {
      if (this.#left === 0) this.#goOn()
      const some = Math.min(left, this.#left)
      this.#at += some
      left -= some
    }
  }

  /** Each continuation record declares the character width again. */
  #characters(length: number, startsWide: boolean): string {
    let isWide = startsWide
    let text = ''
    while (text.length < length) {
      if (this.#left < (isWide ? 2 : 1)) {
        this.#goOn()
        isWide = (this.#number(1) & WIDE) !== 0
        continue
      }
      const width = isWide ? 2 : 1
      const count = Math.min(length - text.length, Math.floor(this.#left / width))
      const stored = this.#parts[this.#part]!.subarray(this.#at, this.#at + count * width)
      text += stored.toString(isWide ? 'utf16le' : 'latin1')
      this.#at += count * width
    }
    return text
  }

  #number(bytes: 1 | 2 | 4): number {
    if (this.#left === 0) this.#goOn()
    if (this.#left < bytes) throw damaged()
    const value = this.#parts[this.#part]!.readUIntLE(this.#at, bytes)
    this.#at += bytes
    return value
  }

  #goOn(): void {
    if (this.#part >= this.#parts.length - 1) throw damaged()
    this.#part += 1
    this.#at = 0
  }
}

/** A string within a record. Before Excel 97, it uses a code page. */
export function readString(
  data: Buffer,
  at: number,
  lengthBytes: 1 | 2,
  encoding: string | undefined,
): string {
  const length = data.readUIntLE(at, lengthBytes)
  const start = at + lengthBytes
  if (encoding !== undefined) {
    return new TextDecoder(encoding).decode(data.subarray(start, start + length))
  }
  const flags = data.readUInt8(start)
  const from = start + 1 + (flags & RICH ? 2 : 0) + (flags & EXTENDED ? 4 : 0)
  return flags & WIDE
    ? data.toString('utf16le', from, from + length * 2)
    : data.toString('latin1', from, from + length)
}
