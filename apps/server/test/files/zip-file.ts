import { crc32, deflateRawSync } from 'node:zlib'

interface ZipOptions {
  /** The size that the directory claims for every entry. */
  claimedSize?: number
  flags?: number
}

/** A zip file of these entries, in the layout of common programs. */
export function zipFile(
  entries: Record<string, string | Uint8Array>,
  { claimedSize, flags = 0 }: ZipOptions = {},
): Buffer<ArrayBuffer> {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, given] of Object.entries(entries)) {
    const content = Buffer.from(given as string)
    const packed = deflateRawSync(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x800 | flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(content), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimedSize ?? content.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const file = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]
    files.push(...file)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name))
    offset += Buffer.concat(file).length
  }
  const end = Buffer.alloc(18)
  const count = Object.keys(entries).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end])
}
