const SECTOR = 512
const SMALL_SECTOR = 64
const SMALL_STREAM = 4096
const ENTRY = 128
const END_OF_CHAIN = 0xfffffffe
const FAT_SECTOR = 0xfffffffd
const FREE = 0xffffffff

export interface Tree {
  [name: string]: Uint8Array | Tree
}

/** A compound file with these streams and storages, as Office before 2007 and Outlook write them. */
export function makeCompoundFile(tree: Tree): Buffer<ArrayBuffer> {
  const large = new Chains(SECTOR)
  const small = new Chains(SMALL_SECTOR)
  const entries: Entry[] = [
    { name: 'Root Entry', type: 5, right: FREE, child: FREE, start: 0, size: 0 },
  ]
  entries[0]!.child = addEntries(tree)

  /** Links the entries of a storage as a list of neighbors. Returns the index of the first. */
  function addEntries(storage: Tree): number {
    let next = FREE
    for (const [name, content] of Object.entries(storage).reverse()) {
      const isStream = content instanceof Uint8Array
      const chains = isStream && content.length < SMALL_STREAM ? small : large
      entries.push({
        name,
        type: isStream ? 2 : 1,
        right: next,
        child: isStream ? FREE : addEntries(content),
        start: isStream ? chains.add(content) : 0,
        size: isStream ? content.length : 0,
      })
      next = entries.length - 1
    }
    return next
  }

  const smallContent = Buffer.concat(small.sectors)
  Object.assign(entries[0]!, { start: large.add(smallContent), size: smallContent.length })
  const smallFat = large.add(small.table())
  const directory = large.add(Buffer.concat(entries.map(writeEntry)))
  const fat = large.next.length
  large.next.push(FAT_SECTOR)
  const header = Buffer.alloc(SECTOR, 0xff)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(9, 0x1e)
  header.writeUInt32LE(directory, 0x30)
  header.writeUInt32LE(SMALL_STREAM, 0x38)
  header.writeUInt32LE(smallFat, 0x3c)
  header.writeUInt32LE(END_OF_CHAIN, 0x44)
  header.writeUInt32LE(fat, 0x4c)
  const table = Buffer.alloc(SECTOR, 0xff)
  table.set(large.table())
  return Buffer.concat([header, ...large.sectors, table])
}

/** Splits contents into sectors and records which sector follows which. */
class Chains {
  readonly sectors: Buffer[] = []
  readonly next: number[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  add(content: Uint8Array): number {
    const first = this.sectors.length
    for (let at = 0; at < content.length; at += this.#size) {
      const sector = Buffer.alloc(this.#size)
      sector.set(content.subarray(at, at + this.#size))
      this.sectors.push(sector)
      this.next.push(at + this.#size < content.length ? this.sectors.length : END_OF_CHAIN)
    }
    return this.sectors.length === first ? END_OF_CHAIN : first
  }

  table(): Buffer {
    const table = Buffer.alloc(this.next.length * 4)
    for (const [i, sector] of this.next.entries()) table.writeUInt32LE(sector, i * 4)
    return table
  }
}

interface Entry {
  name: string
  type: number
  right: number
  child: number
  start: number
  size: number
}

function writeEntry(entry: Entry): Buffer {
  const bytes = Buffer.alloc(ENTRY)
  bytes.write(entry.name, 0, 'utf16le')
  bytes.writeUInt16LE(entry.name.length * 2 + 2, 64)
  bytes[66] = entry.type
  bytes.writeUInt32LE(FREE, 68)
  bytes.writeUInt32LE(entry.right, 72)
  bytes.writeUInt32LE(entry.child, 76)
  bytes.writeUInt32LE(entry.start, 116)
  bytes.writeUInt32LE(entry.size, 120)
  return bytes
}
