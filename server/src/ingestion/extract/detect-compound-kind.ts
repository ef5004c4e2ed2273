import { CompoundFile } from './compound-file.ts'
import type { DocumentInput } from './extract-document.ts'
import { isOutlookLetter } from './msg.ts'

type Kind = DocumentInput['kind']

const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const FILE_PASSWORD_RECORD = 0x2f
const RECORDS_BEFORE_PASSWORD = 5
const HEAD_BYTES = 512
// Where the names of what is inside stand in whatever writes such files.
const EDGE_BYTES = 1024 * 1024

/** Which of the formats of Office before 2007, a newer one that is locked, or a letter of Outlook. */
export function detectCompoundKind(bytes: Uint8Array): Kind | undefined {
  try {
    const file = new CompoundFile(bytes)
    const { streams } = file.root
    if (streams.has('EncryptedPackage') || streams.has('EncryptedSummary')) return 'locked-office'
    const word = streams.get('WordDocument')
    if (word) return isLockedWord(file.read(word, HEAD_BYTES)) ? 'locked-office' : 'doc'
    const workbook = streams.get('Workbook') ?? streams.get('Book')
    if (workbook) return isLockedWorkbook(file.read(workbook, HEAD_BYTES)) ? 'locked-office' : 'xls'
    if (isOutlookLetter(file)) return 'msg'
    return streams.has('PowerPoint Document') ? 'ppt' : undefined
  } catch {
    // Its directory is damaged, and no program will find its way in it; that it is locked can still be told.
    const edges = [bytes.subarray(0, EDGE_BYTES), bytes.subarray(-EDGE_BYTES)]
    const isLocked = edges.some((edge) => asBuffer(edge).includes(ENCRYPTED_PACKAGE))
    return isLocked ? 'locked-office' : undefined
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}

function isLockedWord(head: Buffer): boolean {
  return (head.readUInt16LE(0x0a) & 0x100) !== 0
}

function isLockedWorkbook(head: Buffer): boolean {
  let at = 0
  for (let i = 0; i < RECORDS_BEFORE_PASSWORD && at + 4 <= head.length; i++) {
    if (head.readUInt16LE(at) === FILE_PASSWORD_RECORD) return true
    at += 4 + head.readUInt16LE(at + 2)
  }
  return false
}
