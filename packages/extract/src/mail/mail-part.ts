import { decodeText } from '../detect/decode-text.ts'

/** A part of an email. Its text is still encoded, with a character per byte. */
export interface MailPart {
  headers: Map<string, string>
  type: string
  charset: string | undefined
  /** Empty if the part is not an attachment. */
  fileName: string
  body: string
  parts: MailPart[]
}

const MAX_NESTING = 20
const MAX_CHILDREN = 1000

export function parsePart(source: string, nesting = 0): MailPart {
  const gap = /\r?\n\r?\n/.exec(source)
  const body = gap ? source.slice(gap.index + gap[0].length) : ''
  const headers = parseHeaders(gap ? source.slice(0, gap.index) : source)
  const contentType = parseParameters(headers.get('content-type') ?? 'text/plain')
  const disposition = parseParameters(headers.get('content-disposition') ?? '')
  const type = contentType.value.toLowerCase()
  const boundary = contentType.parameters.get('boundary')
  const isNested = type.startsWith('multipart/') && boundary !== undefined && nesting < MAX_NESTING
  return {
    headers,
    type,
    charset: contentType.parameters.get('charset'),
    fileName: disposition.parameters.get('filename') ?? contentType.parameters.get('name') ?? '',
    body: isNested ? '' : body,
    parts: isNested ? splitParts(body, boundary).map((part) => parsePart(part, nesting + 1)) : [],
  }
}

export function decodeBody({ headers, body }: MailPart): Buffer {
  switch (headers.get('content-transfer-encoding')?.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64')
    case 'quoted-printable':
      return decodeQuoted(body.replace(/=[ \t]*\r?\n/g, ''))
    default:
      return Buffer.from(body, 'latin1')
  }
}

/** Decodes encoded words (RFC 2047). Old programs send raw bytes, whose encoding is guessed. */
export function decodeHeader(value: string): string {
  return decodeEncodedWords(decodeText(Buffer.from(value, 'latin1')))
}

/** Decodes the form of RFC 2047: `=?utf-8?B?bmHDr3Zl?=`. */
export function decodeEncodedWords(text: string): string {
  const joined = text.replace(/(\?=)\s+(?==\?)/g, '$1')
  const words = /(?:=\?[^?\s]+\?[bq]\?[^?]*\?=)+/gi
  return joined.replace(words, (run) => decodeWords(run))
}

/** A character can be split between two words, so words of the same encoding are decoded together. */
function decodeWords(run: string): string {
  let decoded = ''
  let charset = ''
  let pieces: Buffer[] = []
  const flush = () => {
    if (pieces.length > 0) decoded += decodeText(Buffer.concat(pieces), charset)
    pieces = []
  }
  for (const [, given = '', form = '', data = ''] of run.matchAll(
    /=\?([^?]+)\?([bq])\?([^?]*)\?=/gi,
  )) {
    const named = given.replace(/\*.*$/, '').toLowerCase()
    if (named !== charset) flush()
    charset = named
    const isBase64 = form.toLowerCase() === 'b'
    pieces.push(isBase64 ? Buffer.from(data, 'base64') : decodeQuoted(data.replaceAll('_', ' ')))
  }
  flush()
  return decoded
}

function decodeQuoted(text: string): Buffer {
  const bytes = text.replace(/=([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1')
}

function parseHeaders(source: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of source.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** Parses `text/plain; name="a.txt"`, including the long and encoded forms of RFC 2231. */
function parseParameters(header: string): { value: string; parameters: Map<string, string> } {
  const parameters = new Map<string, string>()
  const encoded = new Set<string>()
  for (const [, key = '', quoted, bare] of header.matchAll(
    /;\s*([^=;\s]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;]*))/g,
  )) {
    const name = key.toLowerCase().replace(/\*.*$/, '')
    const value = quoted?.replace(/\\(.)/g, '$1') ?? bare?.trim() ?? ''
    if (key.endsWith('*')) encoded.add(name)
    parameters.set(name, (parameters.get(name) ?? '') + value)
  }
  for (const [name, value] of parameters) {
    parameters.set(name, encoded.has(name) ? decodeExtended(value) : decodeHeader(value))
  }
  return { value: header.split(';')[0]!.trim(), parameters }
}

function decodeExtended(value: string): string {
  const [, charset = '', data = value] = /^([\w-]*)'[^']*'(.*)$/s.exec(value) ?? []
  return decodeText(decodeQuoted(data.replaceAll('%', '=')), charset)
}

function splitParts(body: string, boundary: string): string[] {
  const parts: string[] = []
  const mark = `--${boundary}`
  let from = -1
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue
    if (from !== -1) parts.push(body.slice(from, at).replace(/\r?\n$/, ''))
    from = body.indexOf('\n', at) + 1
    const isEnd = body.startsWith('--', at + mark.length)
    if (isEnd || from === 0 || parts.length >= MAX_CHILDREN) return parts
  }
  // The closing boundary is missing.
  if (from !== -1) parts.push(body.slice(from))
  return parts
}
