import { CompoundFile, type Storage } from '../containers/compound-file.ts'
import { damaged } from '../containers/zip.ts'
import { codePageEncoding } from '../detect/code-pages.ts'
import { decodeText } from '../detect/decode-text.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { type ExtractedText, extractHtml } from '../web/html.ts'

// Property IDs of Outlook emails and attachments.
const SUBJECT = 0x0037
const SENT = 0x0039
const DELIVERED = 0x0e06
const SENDER_NAME = 0x0c1a
const SENDER_ADDRESS = 0x0c1f
const SENDER_MAIL_ADDRESS = 0x5d01
const TO = 0x0e04
const CC = 0x0e03
const BODY = 0x1000
const BODY_AS_PAGE = 0x1013
const PAGE_ENCODING = 0x3fde
const ENCODING = 0x3ffd
const FILE_NAME = 0x3707
const SHORT_FILE_NAME = 0x3704
const MEDIA_TYPE = 0x370e
const CONTENT = 0x3701
// Property types.
const BYTES = 0x0102
const TEXT = 0x001f
const OLD_TEXT = 0x001e
const NUMBER = 0x0003
const TIME = 0x0040
const LETTER = 0x000d

const VALUES = '__properties_version1.0'
const VALUE_BYTES = 16
// The offset of the values, after the header with their counts.
const VALUES_OF_FILE = 32
const VALUES_OF_LETTER = 24
const VALUES_OF_ATTACHMENT = 8
const ATTACHMENT = /^__attach_version/
const TEXT_FILE = /\.(?:txt|md|csv|tsv|log|html?)$/i
const MAX_DEPTH = 10
const MAX_ATTACHMENTS = 1000
const TICKS_OF_MS = 10_000n
const MS_BEFORE_1970 = 11_644_473_600_000n

export function isOutlookLetter({ root }: CompoundFile): boolean {
  return root.streams.has(VALUES) && root.storages.has('__nameid_version1.0')
}

/**
 * Extracts an Outlook email: sender, recipients, date, a single version of the body and the names of attachments. Text
 * attachments are included in full.
 */
export function extractMsg(bytes: Uint8Array): ExtractedText {
  try {
    const file = new CompoundFile(bytes)
    const letter = new Properties(file, file.root, VALUES_OF_FILE)
    const text = new DocumentText()
    writeLetter(text, letter, { depth: 0, budget: { attachments: MAX_ATTACHMENTS } })
    return { title: oneLine(letter.text(SUBJECT)), text: text.toString() }
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error
  }
}

interface Place {
  depth: number
  budget: { attachments: number }
}

function writeLetter(text: DocumentText, letter: Properties, place: Place): void {
  const lines = [
    ['Subject', letter.text(SUBJECT)],
    ['From', sender(letter)],
    ['To', letter.text(TO)],
    ['Cc', letter.text(CC)],
    ['Date', letter.time(SENT) ?? letter.time(DELIVERED) ?? ''],
  ]
  const shown = lines.map(([name, value = '']) => [name, oneLine(value)])
  text.paragraph(shown.flatMap(([name, value]) => (value ? `${name}: ${value}` : [])).join('\n'))
  text.preformatted(letter.text(BODY).trim() || readPage(letter))
  for (const attachment of letter.list(ATTACHMENT)) {
    place.budget.attachments -= 1
    if (place.budget.attachments < 0) return
    writeAttachment(text, attachment, place)
  }
}

function sender(letter: Properties): string {
  const name = letter.text(SENDER_NAME)
  // Internal Exchange addresses mean nothing to a reader.
  const addresses = [letter.text(SENDER_MAIL_ADDRESS), letter.text(SENDER_ADDRESS)]
  const address = addresses.find((given) => /^[^/].*@/.test(given))
  return address && address !== name ? `${name} <${address}>`.trim() : name
}

function readPage(letter: Properties): string {
  const page = letter.bytes(BODY_AS_PAGE)
  if (!page) return extractHtml(letter.text(BODY_AS_PAGE)).text
  return extractHtml(decodeText(page, letter.encoding(PAGE_ENCODING))).text
}

function writeAttachment(
  text: DocumentText,
  attachment: Properties,
  { depth, budget }: Place,
): void {
  const name = attachment.text(FILE_NAME) || attachment.text(SHORT_FILE_NAME)
  const inner = attachment.inner(CONTENT)
  if (inner) {
    if (depth < MAX_DEPTH) writeLetter(text, inner, { depth: depth + 1, budget })
    return
  }
  text.heading(2, name === '' ? '' : `Attachment: ${name}`)
  const content = attachment.bytes(CONTENT)
  const type = attachment.text(MEDIA_TYPE)
  if (!content || !(type.startsWith('text/') || TEXT_FILE.test(name))) return
  const isPage = type === 'text/html' || /\.html?$/i.test(name)
  text.preformatted(isPage ? extractHtml(decodeText(content)).text : decodeText(content).trim())
}

/** The properties of an email or attachment: short values are in a table, each long value in its own stream. */
class Properties {
  readonly #file: CompoundFile
  readonly #storage: Storage
  readonly #values = new Map<number, Buffer>()

  constructor(file: CompoundFile, storage: Storage, valuesAt: number) {
    this.#file = file
    this.#storage = storage
    const stream = storage.streams.get(VALUES)
    const table = stream ? file.read(stream) : Buffer.alloc(0)
    for (let at = valuesAt; at + VALUE_BYTES <= table.length; at += VALUE_BYTES) {
      this.#values.set(table.readUInt32LE(at), table.subarray(at + 8, at + VALUE_BYTES))
    }
  }

  text(id: number): string {
    const bytes = this.#read(id, TEXT)
    if (bytes) return bytes.toString('utf16le').replaceAll('\r\n', '\n').replaceAll('\0', '')
    const old = this.#read(id, OLD_TEXT)
    return old ? decodeText(old, this.encoding(ENCODING)) : ''
  }

  bytes(id: number): Buffer | undefined {
    return this.#read(id, BYTES)
  }

  encoding(id: number): string | undefined {
    const page = this.#values.get((id << 16) | NUMBER)?.readUInt32LE(0)
    return page === undefined ? undefined : codePageEncoding(page)
  }

  time(id: number): string | undefined {
    const ticks = this.#values.get((id << 16) | TIME)?.readBigUInt64LE(0)
    if (!ticks) return undefined
    const date = new Date(Number(ticks / TICKS_OF_MS - MS_BEFORE_1970))
    return Number.isNaN(date.getTime()) ? undefined : date.toUTCString()
  }

  inner(id: number): Properties | undefined {
    const storage = this.#storage.storages.get(streamName(id, LETTER))
    // Another program stores something else in this property.
    if (!storage?.streams.has(VALUES)) return undefined
    return new Properties(this.#file, storage, VALUES_OF_LETTER)
  }

  list(name: RegExp): Properties[] {
    return [...this.#storage.storages]
      .filter(([key]) => name.test(key))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, storage]) => new Properties(this.#file, storage, VALUES_OF_ATTACHMENT))
  }

  #read(id: number, form: number): Buffer | undefined {
    const stream = this.#storage.streams.get(streamName(id, form))
    return stream && this.#file.read(stream)
  }
}

function streamName(id: number, form: number): string {
  return `__substg1.0_${(id * 0x10000 + form).toString(16).toUpperCase().padStart(8, '0')}`
}
