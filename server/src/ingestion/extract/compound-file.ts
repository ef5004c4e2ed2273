const SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const ENTRY_BYTES = 128
const HEAD_BYTES = 512
const FAT_SECTORS_IN_HEADER = 109
const STREAM = 2
const LAST_SECTOR = 0xfffffffa
const NO_ENTRY = 0xffffffff
// More are in no real file: what is damaged or made to go in circles ends here.
const MAX_DIRECTORY_SECTORS = 2_000
const MAX_FAT_SECTORS = 100_000

export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length))
}

/**
 * The streams at the top of a compound file, which is how Office stored before 2007 and stores what is locked, each
 * with its first bytes. Those of documents inside of the document are left out. Throws when it is damaged.
 */
export function listStreams(given: Uint8Array): Map<string, Buffer> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.length)
  const sectorBytes = 1 << Math.min(bytes.readUInt16LE(0x1e), 16)
  const offsetOf = (sector: number) => (sector + 1) * sectorBytes
  const directory = readDirectory(bytes, sectorBytes)
  const streams = new Map<string, Buffer>()
  const seen = new Set<number>()
  const waiting = [directory.readUInt32LE(76)]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === NO_ENTRY || seen.has(id)) continue
    seen.add(id)
    const entry = directory.subarray(id * ENTRY_BYTES, (id + 1) * ENTRY_BYTES)
    const name = entry.toString('utf16le', 0, Math.max(entry.readUInt16LE(64) - 2, 0))
    const start = offsetOf(entry.readUInt32LE(116))
    if (entry[66] === STREAM) streams.set(name, bytes.subarray(start, start + HEAD_BYTES))
    waiting.push(entry.readUInt32LE(68), entry.readUInt32LE(72))
  }
  return streams
}

function readDirectory(bytes: Buffer, sectorBytes: number): Buffer {
  const fatSectors = listFatSectors(bytes, sectorBytes)
  const idsOfSector = sectorBytes / 4
  const sectors: Buffer[] = []
  for (
    let sector = bytes.readUInt32LE(0x30);
    sector < LAST_SECTOR && sectors.length < MAX_DIRECTORY_SECTORS;
  ) {
    const start = (sector + 1) * sectorBytes
    sectors.push(bytes.subarray(start, start + sectorBytes))
    const fatSector = fatSectors[Math.floor(sector / idsOfSector)] ?? LAST_SECTOR
    sector = bytes.readUInt32LE((fatSector + 1) * sectorBytes + (sector % idsOfSector) * 4)
  }
  return Buffer.concat(sectors)
}

/** Where the table stands that says which sector follows which: first in the header, then in a chain. */
function listFatSectors(bytes: Buffer, sectorBytes: number): number[] {
  const sectors: number[] = []
  for (let i = 0; i < FAT_SECTORS_IN_HEADER; i++) sectors.push(bytes.readUInt32LE(0x4c + i * 4))
  let next = bytes.readUInt32LE(0x44)
  while (next < LAST_SECTOR && sectors.length < MAX_FAT_SECTORS) {
    const start = (next + 1) * sectorBytes
    const ids = sectorBytes / 4 - 1
    for (let i = 0; i < ids; i++) sectors.push(bytes.readUInt32LE(start + i * 4))
    next = bytes.readUInt32LE(start + ids * 4)
  }
  return sectors
}
