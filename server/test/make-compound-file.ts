const SECTOR = 512
const STREAM_SECTORS = 8
const END_OF_CHAIN = 0xfffffffe
const FAT_SECTOR = 0xfffffffd
const FREE = 0xffffffff

/** A compound file, as Office wrote before 2007, with these streams; of each only how it begins. */
export function makeCompoundFile(streams: Record<string, Uint8Array>): Buffer<ArrayBuffer> {
  const names = Object.keys(streams)
  const fat = Buffer.alloc(SECTOR, 0xff)
  fat.writeUInt32LE(FAT_SECTOR, 0)
  fat.writeUInt32LE(END_OF_CHAIN, 4)
  const directory = Buffer.alloc(SECTOR)
  writeEntry(directory, 0, { name: 'Root Entry', type: 5, child: 1, start: END_OF_CHAIN })
  const contents = names.map((name, i) => {
    const first = 2 + i * STREAM_SECTORS
    for (let s = 0; s < STREAM_SECTORS; s++) {
      const isLast = s === STREAM_SECTORS - 1
      fat.writeUInt32LE(isLast ? END_OF_CHAIN : first + s + 1, (first + s) * 4)
    }
    const right = i + 1 < names.length ? i + 2 : FREE
    writeEntry(directory, i + 1, { name, type: 2, right, start: first })
    const content = Buffer.alloc(STREAM_SECTORS * SECTOR)
    content.set(streams[name]!)
    return content
  })
  const header = Buffer.alloc(SECTOR, 0xff)
  header.write('d0cf11e0a1b11ae1', 'hex')
  header.writeUInt16LE(9, 0x1e)
  header.writeUInt32LE(1, 0x30)
  header.writeUInt32LE(END_OF_CHAIN, 0x44)
  header.writeUInt32LE(0, 0x4c)
  return Buffer.concat([header, fat, directory, ...contents])
}

interface Entry {
  name: string
  type: number
  child?: number
  right?: number
  start: number
}

function writeEntry(directory: Buffer, index: number, entry: Entry): void {
  const at = index * 128
  directory.write(entry.name, at, 'utf16le')
  directory.writeUInt16LE(entry.name.length * 2 + 2, at + 64)
  directory[at + 66] = entry.type
  directory.writeUInt32LE(FREE, at + 68)
  directory.writeUInt32LE(entry.right ?? FREE, at + 72)
  directory.writeUInt32LE(entry.child ?? FREE, at + 76)
  directory.writeUInt32LE(entry.start, at + 116)
  directory.writeUInt32LE(STREAM_SECTORS * SECTOR, at + 120)
}
