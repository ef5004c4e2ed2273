import { isCompoundFile } from './compound-file.ts'
import { looksLikeText, peekText } from './decode-text.ts'
import { detectCompoundKind } from './detect-compound-kind.ts'
import { detectZipKind } from './detect-zip-kind.ts'
import type { DocumentInput } from './extract-document.ts'
import { looksLikeSubtitles } from './subtitles.ts'

type Kind = DocumentInput['kind']

const COMMENTS = /<!--.*?-->|<\?xml[^>]*>/gs
const HTML = /^\s*<(?:!doctype\s+html|html|head|body)[\s>]/i
const PDF = /^\s*%PDF-/
const XML = /^\s*<(?:\?xml\s|!doctype\s|[\w:.-]+\s[^<>]*\bxmlns)/i
// Written in text, but not to be read as text.
const POSTSCRIPT = /^\s*%!PS(?:-Adobe|\s)/
const PICTURE = /^\s*<svg[\s>]/i
const END_OF_PICTURE = '</svg>'
const MAIL_HEADERS = /^(?:received|message-id|mime-version|from|to|subject|date|return-path):/gim

const BY_MEDIA_TYPE = new Map<string, Kind>([
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['text/markdown', 'markdown'],
  ['text/x-rst', 'rst'],
  ['text/prs.fallenstein.rst', 'rst'],
  ['text/csv', 'csv'],
  ['text/tab-separated-values', 'csv'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['message/rfc822', 'eml'],
  ['text/vtt', 'subtitles'],
])
const BY_NAME: [RegExp, Kind][] = [
  [/\.x?html?$/i, 'html'],
  [/\.(md|markdown|mdx)$/i, 'markdown'],
  [/\.(rst|rest)(\.txt)?$/i, 'rst'],
  [/\.(csv|tsv|tab)$/i, 'csv'],
  [/\.(json|jsonl|ndjson|geojson|ipynb)$/i, 'json'],
  [/\.(xml|rss|atom|xsd|xsl)$/i, 'xml'],
  [/\.eml$/i, 'eml'],
  [/\.(srt|vtt)$/i, 'subtitles'],
]

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
  const declared =
    BY_MEDIA_TYPE.get(mediaType) ?? BY_NAME.find(([ending]) => ending.test(name))?.[1]
  if (declared) return declared
  if (looksLikeSubtitles(head)) return 'subtitles'
  if (XML.test(head)) return 'xml'
  return isMail(head) ? 'eml' : 'text'
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
