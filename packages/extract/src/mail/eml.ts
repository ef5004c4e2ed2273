import { decodeText } from '../detect/decode-text.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { type ExtractedText, extractHtml } from '../web/html.ts'
import { decodeBody, decodeHeader, type MailPart, parsePart } from './mail-part.ts'

const MAX_DEPTH = 20
const MAX_PARTS = 1000
const MAX_STUB = 300
const SHOWN = ['Subject', 'From', 'To', 'Cc', 'Date']

/**
 * Extracts an email: sender, recipients, date, a single version of the body and the names of attachments. Text
 * attachments are included in full.
 */
export function extractEml(bytes: Uint8Array): ExtractedText {
  const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  const part = parsePart(mail)
  const text = new DocumentText()
  writeLetter(text, part, { depth: 0, budget: { parts: MAX_PARTS } })
  return { title: oneLine(decodeHeader(part.headers.get('subject') ?? '')), text: text.toString() }
}

interface Place {
  depth: number
  budget: { parts: number }
}

function writeLetter(text: DocumentText, part: MailPart, place: Place): void {
  const lines = SHOWN.flatMap((name) => {
    const value = oneLine(decodeHeader(part.headers.get(name.toLowerCase()) ?? ''))
    return value === '' ? [] : `${name}: ${value}`
  })
  text.paragraph(lines.join('\n'))
  writePart(text, part, place)
}

function writePart(text: DocumentText, part: MailPart, { depth, budget }: Place): void {
  budget.parts -= 1
  if (depth > MAX_DEPTH || budget.parts < 0) return
  const inner = { depth: depth + 1, budget }
  if (part.type === 'multipart/alternative') {
    const best = bestOf(part.parts)
    if (best) writePart(text, best, inner)
  } else if (part.type.startsWith('multipart/')) {
    for (const child of part.parts) writePart(text, child, inner)
  } else if (part.type === 'message/rfc822') {
    writeLetter(text, parsePart(decodeBody(part).toString('latin1')), inner)
  } else {
    if (part.fileName !== '') text.heading(2, `Attachment: ${part.fileName}`)
    if (part.type.startsWith('text/')) text.preformatted(readText(part))
  }
}

/** Picks from alternative versions. Plain text needs the least cleanup, if it has content. */
function bestOf(parts: MailPart[]): MailPart | undefined {
  const plain = parts.find(({ type }) => type === 'text/plain')
  const rich = parts.findLast(({ type }) => /^(multipart\/|text\/html)/.test(type))
  const said = plain ? readText(plain).trim() : ''
  // Some plain versions only point to the HTML version.
  const isStub =
    said.length < MAX_STUB && rich?.type === 'text/html' && readText(rich).length > said.length * 3
  return plain && said !== '' && !isStub ? plain : (rich ?? parts[0])
}

function readText(part: MailPart): string {
  const text = decodeText(decodeBody(part), part.charset)
  return part.type === 'text/html' ? extractHtml(text).text : withoutQuoteMarks(text.trim())
}

/** Replies quote the original between their own lines and mark each quoted line. */
function withoutQuoteMarks(text: string): string {
  const lines = text.split('\n')
  const depths = lines.map((line) => /^(?:> ?)*/.exec(line)![0].replaceAll(' ', '').length)
  return lines
    .map((line, i) => {
      const isOther = i > 0 && depths[i] !== depths[i - 1]
      return (isOther ? '\n' : '') + line.replace(/^(?:> ?)+/, '')
    })
    .join('\n')
}
