import { CompoundFile, isCompoundFile } from '../containers/compound-file.ts'
import { ZipArchive } from '../containers/zip.ts'
import type { DocumentInput } from '../extract-document.ts'
import { isOutlookLetter } from '../mail/msg.ts'
import { looksLikeSubtitles } from '../plain/subtitles.ts'
import { looksLikeText, peekText } from './decode-text.ts'
import KINDS from './kinds.json' with { type: 'json' }

type Kind = DocumentInput['kind']

const BY_MEDIA_TYPE = new Map(Object.entries(KINDS.byMediaType)) as Map<string, Kind>
const TEXTS = new Map(Object.entries(KINDS.textsByExtension)) as Map<string, Kind>
const ARCHIVES = new Map(Object.entries(KINDS.archivesByExtension)) as Map<string, Kind>
// Not extensions that text or source code uses as well (`.ts`, `.mts`, `.key`, `.svg`).
const BINARY = new Set(KINDS.binaryExtensions)
const BESIDE_PAGES = new Set(KINDS.besidePages)

const COMMENTS = /<!--.*?-->|<\?xml[^>]*>/gs
const HTML = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i
const PDF = /^\s*%PDF-/
const XML = /^\s*<(?:\?xml\s|!doctype\s|[\w:.-]+\s[^<>]*\bxmlns)/i
// Written in text, but not to be read as text.
const POSTSCRIPT = /^\s*%!PS(?:-Adobe|\s)/
const PICTURE = /^\s*<svg[\s>]/i
const END_OF_PICTURE = '</svg>'
const MAIL_HEADERS = /^(?:received|message-id|mime-version|from|to|subject|date|return-path):/gim

/**
 * What a document is: by its content first, then by the media type that came with it, then by its name. Undefined:
 * nothing that can be read.
 */
export function detectKind(bytes: Uint8Array, name: string, mediaType = ''): Kind | undefined {
  if (isCompoundFile(bytes)) return detectCompoundKind(bytes)
  // Texts begin with these two letters, too: "PKI", "PKCS #11".
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && !looksLikeText(bytes)) {
    return detectZipKind(bytes, name)
  }
  const head = peekText(bytes, 4096)
  // Readers find the mark also after bytes that do not belong there.
  const marked = head.slice(0, 1024).includes('%PDF-')
  if (PDF.test(head) || (marked && !looksLikeText(bytes))) return 'pdf'
  if (/^\s*\{\\rtf/.test(head)) return 'rtf'
  const markup = head.replace(COMMENTS, '')
  if (!looksLikeText(bytes) || POSTSCRIPT.test(head)) return undefined
  if (PICTURE.test(markup) && !leadsText(bytes)) return undefined
  if (HTML.test(markup)) return 'html'
  const declared = BY_MEDIA_TYPE.get(mediaType) ?? TEXTS.get(extensionOf(name))
  if (declared) return declared
  if (looksLikeSubtitles(head)) return 'subtitles'
  if (XML.test(head)) return 'xml'
  return isMail(head) ? 'eml' : 'text'
}

/**
 * Whether a file's extension belongs to images, audio, video, archives, executables, fonts, disk images or design files.
 */
export function isBinaryName(name: string): boolean {
  return BINARY.has(extensionOf(name))
}

/** Whether an address is of what a browser loads beside pages, or of what nobody reads. */
export function isBesidePages(path: string): boolean {
  return BESIDE_PAGES.has(extensionOf(path))
}

function extensionOf(name: string): string {
  const [, extension = ''] = /\.(re?st\.txt|[^.]+)$/i.exec(name) ?? []
  return extension.toLowerCase()
}

/** A page of Markdown may begin with a picture. Nothing but markup follows one that is a file of its own. */
function leadsText(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const ends = [file.indexOf(END_OF_PICTURE), file.lastIndexOf(END_OF_PICTURE)]
  return ends.some((end) => {
    const after = file.toString('latin1', end + END_OF_PICTURE.length, end + 1024)
    return end >= 0 && /^\s*[^\s<]/.test(after)
  })
}

/** A letter that begins with headers, not a text that speaks of them. */
function isMail(head: string): boolean {
  if (!/^[\w-]+:/.test(head)) return false
  const headers = head.slice(0, head.search(/\r?\n\r?\n/))
  const known = new Set(headers.match(MAIL_HEADERS)?.map((header) => header.toLowerCase()))
  return known.size >= 4
}

const ARCHIVES_BY_PART: [part: string, kind: Kind][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
]
const MAX_MIMETYPE = 200

/** Which of the formats that are archives inside; of one that can't be opened what its name says, so that it can fail. */
function detectZipKind(bytes: Uint8Array, name: string): Kind | undefined {
  const named = ARCHIVES.get(extensionOf(name))
  try {
    const zip = new ZipArchive(bytes)
    const found = ARCHIVES_BY_PART.find(([part]) => zip.has(part))?.[1]
    if (found) return found
    const type = new TextDecoder().decode(zip.findSmall('mimetype', MAX_MIMETYPE))
    if (/opendocument\.(text|spreadsheet|presentation)/.test(type)) return 'odf'
    if (zip.has('content.xml') && zip.has('META-INF/manifest.xml')) return 'odf'
    // Its main part may have any name.
    return zip.has('[Content_Types].xml') ? named : undefined
  } catch {
    return named
  }
}

const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const FILE_PASSWORD_RECORD = 0x2f
const RECORDS_BEFORE_PASSWORD = 5
const HEAD_BYTES = 512
// Where the names of what is inside stand in whatever writes such files.
const EDGE_BYTES = 1024 * 1024

/** Which of the formats of Office before 2007, a newer one that is locked, or a letter of Outlook. */
function detectCompoundKind(bytes: Uint8Array): Kind | undefined {
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
