import type { CompoundFile } from '../containers/compound-file.ts'
import { codePageEncoding } from '../detect/code-pages.ts'
import { oneLine } from '../document-text.ts'
import { titleUnlessMade } from './office-package.ts'

const FIRST_SET = 44
const CODE_PAGE = 1
const TITLE = 2
const NARROW = 0x1e
const WIDE = 0x1f
const UTF_16 = 1200
const MAX_PROPERTIES = 1_000
const MAX_BYTES = 100_000

/** The title property of an Office file from before 2007, unless a program generated it ([MS-OLEPS]). */
export function titleInProperties(file: CompoundFile): string {
  try {
    const stream = file.root.streams.get('\u0005SummaryInformation')
    const bytes = stream && file.read(stream, MAX_BYTES)
    return bytes ? titleUnlessMade(oneLine(readTitle(bytes).replace(/\p{C}/gu, ' '))) : ''
  } catch {
    // Damaged properties must not prevent the text from being read.
    return ''
  }
}

function readTitle(bytes: Buffer): string {
  const set = bytes.subarray(bytes.readUInt32LE(FIRST_SET))
  const count = Math.min(set.readUInt32LE(4), MAX_PROPERTIES)
  const places = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    places.set(set.readUInt32LE(8 + i * 8), set.readUInt32LE(12 + i * 8))
  }
  const page = places.get(CODE_PAGE)
  const codePage = page === undefined ? 1252 : set.readUInt16LE(page + 4)
  const at = places.get(TITLE)
  if (at === undefined) return ''
  const type = set.readUInt32LE(at)
  const length = set.readUInt32LE(at + 4)
  const isWide = type === WIDE || codePage === UTF_16
  if (type !== NARROW && type !== WIDE) return ''
  const stored = set.subarray(at + 8, at + 8 + length * (type === WIDE ? 2 : 1))
  return isWide
    ? stored.toString('utf16le')
    : new TextDecoder(codePageEncoding(codePage)).decode(stored)
}
