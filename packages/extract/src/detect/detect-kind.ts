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
// Excludes extensions that text or source code also uses (`.ts`, `.mts`, `.key`, `.svg`).
const BINARY = new Set(KINDS.binaryExtensions)
const BESIDE_PAGES = new Set(KINDS.besidePages)

const COMMENTS = /<!--.*?-->|<\?xml[^>]*>/gs
const HTML = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i
const PDF = /^\s*%PDF-/
const XML = /^\s*<(?:\?xml\s|!doctype\s|[\w:.-]+\s[^<>]*\bxmlns)/i
// Text formats whose text is not readable content.
const POSTSCRIPT = /^\s*%!PS(?:-Adobe|\s)/
const PICTURE = /^\s*<svg[\s>]/i
const END_OF_PICTURE = '</svg>'
const MAIL_HEADERS = /^(?:received|message-id|mime-version|from|to|subject|date|return-path):/gim

/**
 * Detects the type of a document by content first, then by media type, then by name. Undefined if it is not readable.
 */
export function detectKind(bytes: Uint8Array, name: string, mediaType = ''): Kind | undefined {
  if (isCompoundFile(bytes)) return detectCompoundKind(bytes)
  // Some texts also begin with "PK", for example "PKI" and "PKCS #11".
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && !looksLikeText(bytes)) {
    return detectZipKind(bytes, name)
  }
  const head = peekText(bytes, 4096)
  // PDF readers accept the signature after other bytes, too.
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

/** Whether the extension belongs to an image, audio, video, archive, executable, font, disk image or design file. */
export function isBinaryName(name: string): boolean {
  return BINARY.has(extensionOf(name))
}

/** Whether a URL is a page's asset or a file that is not text. */
export function isBesidePages(path: string): boolean {
  return BESIDE_PAGES.has(extensionOf(path))
}

function extensionOf(name: string): string {
  const [, extension = ''] = /\.(re?st\.txt|[^.]+)$/i.exec(name) ?? []
  return extension.toLowerCase()
}

/** Markdown can begin with an inline SVG. In an SVG file, only markup follows it. */
function leadsText(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const ends = [file.indexOf(END_OF_PICTURE), file.lastIndexOf(END_OF_PICTURE)]
  return ends.some((end) => {
    const after = file.toString('latin1', end + END_OF_PICTURE.length, end + 1024)
    return end >= 0 && /^\s*[^\s<]/.test(after)
  })
}

/** Emails begin with several headers. Texts about email do not. */
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

/**
 * The format of a zip-based document. A damaged archive gets the type of its name, so that reading it reports the
 * error.
 */
function detectZipKind(bytes: Uint8Array, name: string): Kind | undefined {
  const named = ARCHIVES.get(extensionOf(name))
  try {
    const zip = new ZipArchive(bytes)
    const found = ARCHIVES_BY_PART.find(([part]) => zip.has(part))?.[1]
    if (found) return found
    const type = new TextDecoder().decode(zip.findSmall('mimetype', MAX_MIMETYPE))
    if (/opendocument\.(text|spreadsheet|presentation)/.test(type)) return 'odf'
    if (zip.has('content.xml') && zip.has('META-INF/manifest.xml')) return 'odf'
    // Office Open XML allows any name for the main part.
    return zip.has('[Content_Types].xml') ? named : undefined
  } catch {
    return named
  }
}

const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le')
const FILE_PASSWORD_RECORD = 0x2f
const RECORDS_BEFORE_PASSWORD = 5
const HEAD_BYTES = 512
// Programs write the names of the entries near the beginning or the end.
const EDGE_BYTES = 1024 * 1024

/** An Office format before 2007, an encrypted Office file or an Outlook email. */
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
    // The directory is damaged, so the file is unreadable. Encryption is still detectable by its entry name.
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
