const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ENTRY_BYTES = 128
const SMALL_SECTOR_BYTES = 64
const FAT_SECTORS_IN_HEADER = 109
const STORAGE = 1
const STREAM = 2
const LAST_SECTOR = 0xfffffffa
const NO_ENTRY = 0xffffffff
// The sector sizes of versions 3 and 4, the only versions. An arbitrary size from a file would control the loops below.
const SECTOR_SHIFTS = [9, 12]
const NAME_BYTES = 64
// The main server process reads these files, too. An email with a thousand attachments has half as many entries.
const MAX_ENTRIES = 100_000
const MAX_ENTRIES_OF_STORAGE = 20_000

export interface Storage {
  readonly streams: Map<string, Stream>
  readonly storages: Map<string, Storage>
}

interface Stream {
  start: number
  size: number
}

export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))
}

/**
 * Reads OLE compound files: Office files before 2007, encrypted Office files and Outlook emails. Throws when the file
 * is damaged. Sector chains can be cyclic in hostile files, so none is followed for longer than the file has sectors.
 */
export class CompoundFile {
  readonly root: Storage
  readonly #bytes: Buffer
  readonly #sectorBytes: number
  readonly #fatSectors: number[]
  readonly #directory: Buffer
  readonly #isSmall: (stream: Stream) => boolean
  #small: { content: number[]; next: number[] } | undefined

  constructor(given: Uint8Array) {
    this.#bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
    const shift = this.#bytes.readUInt16LE(0x1e)
    if (!SECTOR_SHIFTS.includes(shift))
      throw new RangeError('It has sectors of a size that is none')
    this.#sectorBytes = 1 << shift
    const smallSize = this.#bytes.readUInt32LE(0x38)
    this.#isSmall = ({ size }) => size < smallSize
    this.#fatSectors = this.#listFatSectors()
    const directorySectors = Math.ceil((MAX_ENTRIES * ENTRY_BYTES) / this.#sectorBytes)
    this.#directory = this.#readChain(this.#bytes.readUInt32LE(0x30), directorySectors)
    this.root = this.#openStorage(this.#directory.readUInt32LE(76), new Set())
  }

  /** The content of a stream, or its first `length` bytes. */
  read(stream: Stream, length = stream.size): Buffer {
    const size = Math.min(length, stream.size, this.#bytes.length)
    const content = this.#isSmall(stream)
      ? this.#readSmall(stream.start, Math.ceil(size / SMALL_SECTOR_BYTES))
      : this.#readChain(stream.start, Math.ceil(size / this.#sectorBytes))
    return content.subarray(0, size)
  }

  /** Loads a storage lazily: the root is enough to detect the type of a file. */
  #openStorage(first: number, seen: Set<number>): Storage {
    let read: Storage | undefined
    const open = () => {
      read ??= this.#readStorage(first, seen)
      return read
    }
    return {
      get streams() {
        return open().streams
      },
      get storages() {
        return open().storages
      },
    }
  }

  /** Each entry belongs to one storage only. `seen` prevents loops in damaged files. */
  #readStorage(first: number, seen: Set<number>): Storage {
    const storage: Storage = { streams: new Map(), storages: new Map() }
    const waiting = [first]
    let entries = 0
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (id === NO_ENTRY || seen.has(id)) continue
      seen.add(id)
      entries += 1
      if (entries > MAX_ENTRIES_OF_STORAGE) throw new RangeError('It has too many parts')
      const entry = this.#directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES)
      const nameBytes = Math.min(entry.readUInt16LE(NAME_BYTES), NAME_BYTES)
      const name = entry.toString('utf16le', 0, Math.max(nameBytes - 2, 0))
      if (entry[66] === STREAM) {
        storage.streams.set(name, { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) })
      } else if (entry[66] === STORAGE) {
        storage.storages.set(name, this.#openStorage(entry.readUInt32LE(76), seen))
      }
      waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72))
    }
    return storage
  }

  #readChain(start: number, maxSectors: number): Buffer {
    const size = this.#sectorBytes
    const sectors = this.#listChain(start, maxSectors)
    return Buffer.concat(sectors.map((sector) => this.#at((sector + 1) * size, size)))
  }

  #listChain(start: number, maxSectors = Number.POSITIVE_INFINITY): number[] {
    const idsOfSector = this.#sectorBytes / 4
    const most = Math.min(maxSectors, this.#allSectors())
    const sectors: number[] = []
    for (let sector = start; sector < LAST_SECTOR && sectors.length < most; ) {
      sectors.push(sector)
      const fatSector = this.#fatSectors[Math.floor(sector / idsOfSector)] ?? LAST_SECTOR
      const at = (fatSector + 1) * this.#sectorBytes + (sector % idsOfSector) * 4
      sector = this.#bytes.readUInt32LE(at)
    }
    return sectors
  }

  /** Small streams share the sectors of a stream that belongs to the root. */
  #readSmall(start: number, maxSectors: number): Buffer {
    this.#small ??= {
      content: this.#listChain(this.#directory.readUInt32LE(116)),
      next: this.#listChain(this.#bytes.readUInt32LE(0x3c)),
    }
    const { content, next } = this.#small
    const sectors: Buffer[] = []
    for (let sector = start; sector < LAST_SECTOR && sectors.length < maxSectors; ) {
      const from = this.#placeIn(content, sector * SMALL_SECTOR_BYTES)
      sectors.push(this.#at(from, SMALL_SECTOR_BYTES))
      sector = this.#bytes.readUInt32LE(this.#placeIn(next, sector * 4))
    }
    return Buffer.concat(sectors)
  }

  /** The byte offset in the file of a position in a chain. */
  #placeIn(chain: number[], position: number): number {
    const sector = chain[Math.floor(position / this.#sectorBytes)]
    if (sector === undefined) throw new RangeError('It leads out of the file')
    return (sector + 1) * this.#sectorBytes + (position % this.#sectorBytes)
  }

  #at(from: number, length: number): Buffer {
    return this.#bytes.subarray(from, from + length)
  }

  #allSectors(): number {
    return Math.ceil(this.#bytes.length / this.#sectorBytes)
  }

  /** The sectors of the file allocation table: the first are listed in the header, the others in a chain. */
  #listFatSectors(): number[] {
    const bytes = this.#bytes
    const sectors: number[] = []
    for (let i = 0; i < FAT_SECTORS_IN_HEADER; i++) sectors.push(bytes.readUInt32LE(0x4c + i * 4))
    const idsOfSector = this.#sectorBytes / 4
    const needed = Math.ceil(this.#allSectors() / idsOfSector)
    let next = bytes.readUInt32LE(0x44)
    while (next < LAST_SECTOR && sectors.length < needed) {
      const start = (next + 1) * this.#sectorBytes
      const ids = idsOfSector - 1
      for (let i = 0; i < ids; i++) sectors.push(bytes.readUInt32LE(start + i * 4))
      next = bytes.readUInt32LE(start + ids * 4)
    }
    return sectors
  }
}
