const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ENTRY_BYTES = 128
const SMALL_SECTOR_BYTES = 64
const FAT_SECTORS_IN_HEADER = 109
const STORAGE = 1
const STREAM = 2
const LAST_SECTOR = 0xfffffffa
const NO_ENTRY = 0xffffffff
// More are in no real file: what is damaged or made to go in circles ends here.
const MAX_FAT_SECTORS = 100_000
const MAX_NESTING = 20

export interface Storage {
  streams: Map<string, Stream>
  storages: Map<string, Storage>
}

interface Stream {
  start: number
  size: number
}

export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))
}

/**
 * A file of files: how Office stored before 2007, how it stores what is locked, and Outlook its letters. Throws when it
 * is damaged.
 */
export class CompoundFile {
  readonly root: Storage
  readonly #bytes: Buffer
  readonly #sectorBytes: number
  readonly #fatSectors: number[]
  readonly #directory: Buffer
  readonly #isSmall: (stream: Stream) => boolean
  #small: { content: Buffer; next: Buffer } | undefined

  constructor(given: Uint8Array) {
    this.#bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    this.#sectorBytes = 1 << Math.min(this.#bytes.readUInt16LE(0x1e), 16)
    const smallSize = this.#bytes.readUInt32LE(0x38)
    this.#isSmall = ({ size }) => size < smallSize
    this.#fatSectors = this.#listFatSectors()
    this.#directory = this.#readChain(this.#bytes.readUInt32LE(0x30), this.#allSectors())
    this.root = this.#readStorage(this.#directory.readUInt32LE(76), new Set(), 0)
  }

  /** A stream, or how it begins. */
  read(stream: Stream, length = stream.size): Buffer {
    const size = Math.min(length, stream.size, this.#bytes.length)
    const content = this.#isSmall(stream)
      ? this.#readSmall(stream.start, Math.ceil(size / SMALL_SECTOR_BYTES))
      : this.#readChain(stream.start, Math.ceil(size / this.#sectorBytes))
    return content.subarray(0, size)
  }

  #readStorage(first: number, seen: Set<number>, nesting: number): Storage {
    const storage: Storage = { streams: new Map(), storages: new Map() }
    const waiting = [first]
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === NO_ENTRY || seen.has(id)) continue
      seen.add(id)
      const entry = this.#directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES)
      const name = entry.toString('utf16le', 0, Math.max(entry.readUInt16LE(64) - 2, 0))
      if (entry[66] === STREAM) {
        storage.streams.set(name, { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) })
      } else if (entry[66] === STORAGE && nesting < MAX_NESTING) {
        const inner = this.#readStorage(entry.readUInt32LE(76), seen, nesting + 1)
        storage.storages.set(name, inner)
      }
      waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72))
    }
    return storage
  }

  #readChain(start: number, maxSectors: number): Buffer {
    const idsOfSector = this.#sectorBytes / 4
    const sectors: Buffer[] = []
    for (let sector = start; sector < LAST_SECTOR && sectors.length < maxSectors; ) {
      const from = (sector + 1) * this.#sectorBytes
      sectors.push(this.#bytes.subarray(from, from + this.#sectorBytes))
      const fatSector = this.#fatSectors[Math.floor(sector / idsOfSector)] ?? LAST_SECTOR
      const at = (fatSector + 1) * this.#sectorBytes + (sector % idsOfSector) * 4
      sector = this.#bytes.readUInt32LE(at)
    }
    return Buffer.concat(sectors)
  }

  /** Small streams share the sectors of one that belongs to the root. */
  #readSmall(start: number, maxSectors: number): Buffer {
    this.#small ??= {
      content: this.#readChain(this.#directory.readUInt32LE(116), this.#allSectors()),
      next: this.#readChain(this.#bytes.readUInt32LE(0x3c), this.#allSectors()),
    }
    const sectors: Buffer[] = []
    for (let sector = start; sector < LAST_SECTOR && sectors.length < maxSectors; ) {
      const from = sector * SMALL_SECTOR_BYTES
      sectors.push(this.#small.content.subarray(from, from + SMALL_SECTOR_BYTES))
      sector = this.#small.next.readUInt32LE(sector * 4)
    }
    return Buffer.concat(sectors)
  }

  #allSectors(): number {
    return Math.ceil(this.#bytes.length / this.#sectorBytes)
  }

  /** Where the table stands that says which sector follows which: first in the header, then in a chain. */
  #listFatSectors(): number[] {
    const bytes = this.#bytes
    const sectors: number[] = []
    for (let i = 0; i < FAT_SECTORS_IN_HEADER; i++) sectors.push(bytes.readUInt32LE(0x4c + i * 4))
    let next = bytes.readUInt32LE(0x44)
    while (next < LAST_SECTOR && sectors.length < MAX_FAT_SECTORS) {
      const start = (next + 1) * this.#sectorBytes
      const ids = this.#sectorBytes / 4 - 1
      for (let i = 0; i < ids; i++) sectors.push(bytes.readUInt32LE(start + i * 4))
      next = bytes.readUInt32LE(start + ids * 4)
    }
    return sectors
  }
}
