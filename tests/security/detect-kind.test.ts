import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { makeCompoundFile } from '@docent/server/test/files/make-compound-file.ts'
import { zipFile } from '@docent/server/test/files/zip-file.ts'
import fc from 'fast-check'
import { applyDamage, damages } from './fuzz/damage-file.ts'

// Type detection runs on the main thread, so every input must be fast.

const MOST_MS = 250
const MEGABYTE = 1024 * 1024
const NO_SECTOR = 0xffffffff
// Sector numbers that form cycles, point outside the file, or end a chain.
const NUMBERS = [0, 1, 2, 3, 4, 9, 12, 16, 0x100, 0x7fffffff, 0xfffffffa, 0xfffffffe, NO_SECTOR]

/** CPU time of this thread only, because other work may keep the machine busy. */
function timeToDetect(bytes: Uint8Array, name: string): number {
  const before = process.threadCpuUsage()
  // The timeout of `vm` ends an infinite loop.
  runInNewContext('detect()', { detect: () => detectKind(bytes, name) }, { timeout: 5_000 })
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function assertQuick(bytes: Uint8Array, name: string, what = name): void {
  const ms = timeToDetect(bytes, name)
  assert.ok(ms < MOST_MS, `${what} took ${ms} ms`)
}

const letter = makeCompoundFile({
  '__properties_version1.0': Buffer.alloc(32),
  '__nameid_version1.0': {},
  '__attach_version1.0_#00000000': { '__properties_version1.0': Buffer.alloc(8) },
})
const samples: [name: string, bytes: Buffer][] = [
  ['a.doc', makeCompoundFile({ WordDocument: Buffer.alloc(600) })],
  ['a.xls', makeCompoundFile({ Workbook: Buffer.alloc(5_000), Other: Buffer.alloc(9_000) })],
  ['a.msg', letter],
  ['a.docx', Buffer.from(zipFile({ 'word/document.xml': '<a/>', 'b.xml': '<b/>' }))],
  ['a.odt', Buffer.from(zipFile({ mimetype: 'application/vnd.oasis.opendocument.text' }))],
  ['a.html', Buffer.from('<!-- a --><!doctype html><title>x</title><p>Open daily')],
]

/** A compound file with only a header that contains these numbers. */
function headerOf(shift: number, numbers: number[]): Buffer {
  const header = Buffer.alloc(512)
  header.write('d0cf11e0a1b11ae1', 'hex')
  for (const [i, number] of numbers.entries()) header.writeUInt32LE(number, 0x2c + i * 4)
  header.writeUInt16LE(shift, 0x1e)
  return header
}

test('a compound file of 512 bytes that says anything about itself is told from others at once', () => {
  const circle = headerOf(0, [])
  circle.writeUInt32LE(0x100, 0x44)
  circle.writeUInt32LE(0x100, 0xfe)
  assertQuick(circle, 'circle.doc')
  const number = fc.constantFrom(...NUMBERS)
  const header = fc.tuple(
    fc.constantFrom(0, 1, 2, 3, 8, 9, 12, 16, 0xffff),
    fc.array(number, { minLength: 117, maxLength: 117 }),
  )
  fc.assert(
    fc.property(header, ([shift, numbers]) => assertQuick(headerOf(shift, numbers), 'a.doc')),
    { numRuns: 1_000, seed: 1 },
  )
})

test('a damaged file is told from others at once, whatever its kind', () => {
  const numbers = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      number: fc.constantFrom(...NUMBERS),
    }),
    { maxLength: 8 },
  )
  const any = fc.record({ sample: fc.constantFrom(...samples), damages, numbers })
  fc.assert(
    fc.property(any, ({ sample: [name, bytes], damages, numbers }) => {
      const damaged = Buffer.from(numbers.length > 3 ? bytes : applyDamage(bytes, letter, damages))
      for (const { at, number } of numbers) {
        if (damaged.length >= 8) {
          damaged.writeUInt32LE(number, Math.floor(at * (damaged.length / 4 - 1)) * 4)
        }
      }
      assertQuick(damaged, name)
    }),
    { numRuns: 2_000, seed: 1 },
  )
})

/** A compound file of this size in which every sector points to the next, and the last to the first. */
function largeCircle(size: number): Buffer {
  const file = Buffer.alloc(size)
  file.write('d0cf11e0a1b11ae1', 'hex')
  file.writeUInt16LE(9, 0x1e)
  file.fill(0xff, 0x44, 512)
  const sectors = size / 512 - 1
  const fat = Math.ceil(sectors / 128)
  for (let i = 0; i < 109; i++) file.writeUInt32LE(i, 0x4c + i * 4)
  // A chain after the table lists the table's remaining sectors.
  let last = fat
  file.writeUInt32LE(last, 0x44)
  for (let listed = 109; listed < fat; listed += 127) {
    const start = (last + 1) * 512
    for (let i = 0; i < 127; i++) file.writeUInt32LE(Math.min(listed + i, fat - 1), start + i * 4)
    last += 1
    file.writeUInt32LE(last, start + 508)
  }
  const directory = last + 1
  for (let i = 0; i < sectors; i++) {
    file.writeUInt32LE(i === sectors - 1 ? directory : i + 1, 512 + i * 4)
  }
  for (const at of [0x30, 0x3c]) file.writeUInt32LE(directory, at)
  file.writeUInt32LE(4096, 0x38)
  const entries = (directory + 1) * 512
  for (let at = entries, id = 0; at + 128 <= size; at += 128, id++) {
    file.write(id === 5 ? 'WordDocument' : `${id}`.padStart(31, 'n'), at, 'utf16le')
    file.writeUInt16LE(id === 5 ? 26 : 64, at + 64)
    file[at + 66] = 2
    for (const [to, value] of [
      [68, id + 1],
      [72, id + 2],
      [76, 1],
      [116, directory],
      [120, 100],
    ]) {
      file.writeUInt32LE(value!, at + to!)
    }
  }
  return file
}

/** An archive with one part, whose directory declares this size. */
function archiveOf(name: string, packed: Buffer, size: number): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length + name.length, 12)
  end.writeUInt32LE(head.length + name.length + packed.length, 16)
  return Buffer.concat([head, Buffer.from(name), packed, entry, Buffer.from(name), end])
}

/** An archive of empty parts with names of this length. */
function archiveOfNames(count: number, length: number): Buffer {
  const directory = Buffer.alloc(count * (46 + length), 'n')
  for (let i = 0; i < count; i++) {
    const at = i * (46 + length)
    directory.fill(0, at, at + 46)
    directory.writeUInt32LE(0x02014b50, at)
    directory.writeUInt16LE(length, at + 28)
    directory.write(String(i), at + 46)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(4, 16)
  return Buffer.concat([Buffer.from('PK\x03\x04'), directory, end])
}

test('a large file takes no longer than a small one', () => {
  const size = 50 * MEGABYTE
  // Deflate blocks of ten bits each that unpack to nothing.
  const nothings = Buffer.alloc(size, Buffer.from([0x02, 0x08, 0x20, 0x80, 0x00]))
  const damaged = (unit: string) => {
    const file = Buffer.alloc(size, unit, 'utf16le')
    file.write('d0cf11e0a1b11ae1', 'hex')
    return file
  }
  assertQuick(largeCircle(size), 'a.doc', 'a circle of sectors')
  assertQuick(damaged('E'), 'a.doc', 'what begins like a name over and over')
  assertQuick(damaged('EncryptedPackag'), 'a.doc', 'most of a name over and over')
  assertQuick(archiveOf('mimetype', nothings, 100), 'a.odt', 'much that unpacks to nothing')
  assertQuick(archiveOfNames(10_000, 5_000), 'a.docx', 'long names')
  assertQuick(archiveOfNames(10_000, 370), 'a.docx', 'many names')
  for (const unit of ['<!--', '<a ', '\r\n', 'From: a\nTo: b\n', 'é', '\u0001']) {
    assertQuick(Buffer.alloc(size, unit), 'a.bin', JSON.stringify(unit))
  }
})
