import { crc32, inflateRawSync } from 'node:zlib'
import { IngestionError } from '../ingestion-error.ts'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8

const MEGABYTE = 1024 * 1024
const MAX_ENTRIES = 10_000
// The main server process reads the directory, too. Real archives do not need more.
const MAX_DIRECTORY = 4 * MEGABYTE
const MAX_ENTRY = 100 * MEGABYTE
const MAX_TOTAL = 200 * MEGABYTE
/** Repetitive tables reach a ratio of about 100. Zip bombs need far more than 200. */
const MAX_RATIO = 200
const RATIO_MATTERS_FROM = 8 * MEGABYTE

interface Entry {
  name: string
  encrypted: boolean
  method: number
  checksum: number
  compressed: number
  size: number
  offset: number
}

/**
 * Reads single entries into memory and never writes to a path. It trusts only the central directory at the end, and
 * verifies sizes and checksums against the unpacked bytes.
 */
export class ZipArchive {
  readonly #bytes: Buffer
  /** Keys are lowercase, because Office compares part names without case. */
  readonly #entries = new Map<string, Entry>()
  #inflated = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    try {
      for (const entry of readDirectory(this.#bytes)) {
        const key = keyOf(entry.name)
        if (!this.#entries.has(key)) this.#entries.set(key, entry)
      }
    } catch (error) {
      throw error instanceof RangeError ? damaged() : error
    }
  }

  get names(): string[] {
    return [...this.#entries.values()].map(({ name }) => name)
  }

  has(name: string): boolean {
    return this.#entries.has(keyOf(name))
  }

  /**
   * Returns only entries that are small both packed and unpacked, so that reading them is fast: large packed data can
   * unpack to nothing.
   */
  findSmall(name: string, maxBytes: number): Uint8Array | undefined {
    const { size = 0, compressed = 0 } = this.#entries.get(keyOf(name)) ?? {}
    return Math.max(size, compressed) <= maxBytes ? this.find(name) : undefined
  }

  find(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(keyOf(name))
    if (!entry) return undefined
    if (entry.encrypted) throw locked()
    const { size, compressed } = entry
    this.#inflated += size
    const isBomb = size > RATIO_MATTERS_FROM && size > compressed * MAX_RATIO
    if (size > MAX_ENTRY || this.#inflated > MAX_TOTAL || isBomb) {
      throw new IngestionError('fail', { code: 'unpacks_too_large' })
    }
    const content = this.#unpack(entry)
    if (content.length !== size || crc32(content) !== entry.checksum) throw damaged()
    return content
  }

  #unpack({ offset, compressed, method, size }: Entry): Uint8Array {
    try {
      if (this.#bytes.readUInt32LE(offset) !== LOCAL_HEADER) throw damaged()
      const nameLength = this.#bytes.readUInt16LE(offset + 26)
      const extraLength = this.#bytes.readUInt16LE(offset + 28)
      const start = offset + 30 + nameLength + extraLength
      const content = this.#bytes.subarray(start, start + compressed)
      if (method === STORED) return content
      if (method !== DEFLATED) throw damaged()
      return inflateRawSync(content, { maxOutputLength: Math.max(size, 1) })
    } catch {
      throw damaged()
    }
  }
}

function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

function* readDirectory(bytes: Buffer): Generator<Entry> {
  const end = findEnd(bytes)
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) {
    const failure = { code: 'too_many_parts', params: { most: MAX_ENTRIES } } as const
    throw new IngestionError('fail', failure)
  }
  const directorySize = bytes.readUInt32LE(end + 12)
  if (directorySize > MAX_DIRECTORY) throw damaged()
  // Bytes before the archive shift all of its offsets.
  const shift = end - directorySize - bytes.readUInt32LE(end + 16)
  let at = end - directorySize
  for (let i = 0; i < count; i++) {
    if (at >= end || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged()
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const [size, compressed, offset] = readSizes(bytes, at, bytes.subarray(nameEnd, extraEnd))
    yield {
      name: bytes.toString('utf8', at + 46, nameEnd),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      size,
      compressed,
      offset: offset + shift,
    }
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
}

function findEnd(bytes: Buffer): number {
  const lowest = Math.max(0, bytes.length - 22 - 0xffff)
  for (let at = bytes.length - 22; at >= lowest; at--) {
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at
  }
  throw damaged()
}

/** Some programs write 64-bit sizes into an extra field, even for small values. */
function readSizes(bytes: Buffer, at: number, extra: Buffer): [number, number, number] {
  let wide: Buffer = Buffer.alloc(0)
  for (let i = 0; i + 4 <= extra.length; i += 4 + extra.readUInt16LE(i + 2)) {
    if (extra.readUInt16LE(i) === 1) wide = extra.subarray(i + 4)
  }
  const read = (position: number) => {
    const narrow = bytes.readUInt32LE(position)
    if (narrow !== 0xffffffff) return narrow
    const value = Number(wide.readBigUInt64LE(0))
    wide = wide.subarray(8)
    return value
  }
  return [read(at + 24), read(at + 20), read(at + 42)]
}

export function damaged(): IngestionError {
  return new IngestionError('fail', { code: 'damaged' })
}

export function locked(): IngestionError {
  return new IngestionError('fail', { code: 'locked' })
}
