import { ZipArchive } from '@docent/extract/containers/zip.ts'
import { zipFile } from '@docent/server/test/files/zip-file.ts'
import fc from 'fast-check'

/** A change to a file's bytes. Its numbers say where and how much. */
interface Damage {
  kind: 'flip' | 'cut' | 'repeat' | 'splice' | 'number' | 'zero' | 'text'
  /** From 0 to 1. */
  at: number
  length: number
  value: number
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'repeat', 'splice', 'number', 'zero', 'text'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 5_000 })),
  value: fc.nat(),
})

export const damages = fc.array(damage, { minLength: 1, maxLength: 5 })

// Texts that break parsers: huge sizes, endless markup, references to themselves.
const TEXTS = [
  '99999999999999',
  '-1',
  '\u0000',
  '<'.repeat(2_000),
  '['.repeat(2_000),
  '{\\rtf1'.repeat(300),
  '<a><b><c>'.repeat(300),
  '<!ENTITY a "&a;&a;">',
  '<![CDATA[',
  '&#x110000;',
  '\\u-99999 ',
  '"'.repeat(1_001),
  '/Length 99999999',
  '0 0 obj << /Kids [0 0 R] >>',
  '=?utf-8?b?////?=',
  'NaN',
]

/** Returns a damaged copy. Half of the time, a ZIP archive is damaged inside one of its parts. */
export function applyDamage(bytes: Buffer, other: Buffer, all: Damage[]): Buffer {
  const inside = all[0]!.value % 2 === 0 ? damagePart(bytes, other, all) : undefined
  return inside ?? all.reduce((file, each) => damageOnce(file, other, each), bytes)
}

function damagePart(bytes: Buffer, other: Buffer, all: Damage[]): Buffer | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'PK\x03\x04') return undefined
  try {
    const zip = new ZipArchive(bytes)
    const entries: Record<string, Buffer> = Object.fromEntries(
      zip.names.map((name) => [name, Buffer.from(zip.find(name)!)]),
    )
    const name = zip.names[all[0]!.value % zip.names.length]!
    entries[name] = all.reduce((part, each) => damageOnce(part, other, each), entries[name]!)
    return zipFile(entries)
  } catch {
    return undefined
  }
}

function damageOnce(file: Buffer, other: Buffer, { kind, at, length, value }: Damage): Buffer {
  if (file.length === 0) return file
  const from = Math.min(file.length - 1, Math.floor(at * file.length))
  const to = Math.min(file.length, from + length)
  const replace = (middle: Uint8Array, end = to) =>
    Buffer.concat([file.subarray(0, from), middle, file.subarray(end)])
  switch (kind) {
    case 'flip':
      return replace(file.subarray(from, to).map((byte, i) => byte ^ ((value >> (i % 24)) & 0xff)))
    case 'cut':
      return value % 3 === 0 ? file.subarray(0, from) : replace(Buffer.alloc(0))
    case 'repeat':
      return replace(Buffer.concat(Array(2 + (value % 40)).fill(file.subarray(from, to))))
    case 'splice':
      return replace(other.subarray(value % (other.length || 1)).subarray(0, length))
    case 'number': {
      const number = Buffer.alloc(4)
      number.writeUInt32LE([0, 1, 0x7fffffff, 0x80000000, 0xffffffff, value >>> 0][value % 6]!)
      return replace(number, Math.min(file.length, from + 4))
    }
    case 'zero':
      return replace(Buffer.alloc(to - from))
    case 'text':
      return replace(Buffer.from(TEXTS[value % TEXTS.length]!), from)
  }
}
