import { gunzipSync } from 'node:zlib'
import { Parser } from 'htmlparser2'

export interface Sitemap {
  sitemaps: string[]
  pages: string[]
}

const MAX_BYTES = 50 * 1024 * 1024
// The limits of the sitemap protocol.
const MAX_ENTRIES = 50_000
const MAX_ADDRESS = 2_048
// The server receives the whole list in one message.
const MAX_CHARACTERS = 8_000_000
const MAX_DEPTH = 50

/** Accepts gzipped files. Content that is not a sitemap yields an empty list, and parsing stops at deep nesting. */
export function parseSitemap(bytes: Uint8Array): Sitemap {
  const text = toText(bytes)
  const listed = new Listed()
  if (/^\s*</.test(text)) readXml(text, listed)
  else readLines(text, listed)
  return listed.sitemap
}

class Listed {
  readonly sitemap: Sitemap = { sitemaps: [], pages: [] }
  #characters = 0

  get isFull(): boolean {
    const { sitemaps, pages } = this.sitemap
    const isLong = Math.max(sitemaps.length, pages.length) >= MAX_ENTRIES
    return isLong || this.#characters >= MAX_CHARACTERS
  }

  add(where: keyof Sitemap, address: string): void {
    if (this.isFull || address.length > MAX_ADDRESS) return
    this.sitemap[where].push(address)
    this.#characters += address.length
  }
}

/** The plain-text form has one URL per line. */
function readLines(text: string, listed: Listed): void {
  for (const [address] of text.matchAll(/(?<!\S)https?:\S+/g)) {
    listed.add('pages', address)
    if (listed.isFull) return
  }
}

function readXml(text: string, listed: Listed): void {
  let within: keyof Sitemap = 'pages'
  let location: string | undefined
  let depth = 0
  const parser = new Parser(
    {
      onopentagname(name) {
        depth += 1
        // Parsing time would grow with the square of the depth.
        if (depth > MAX_DEPTH) parser.pause()
        if (name === 'sitemap') within = 'sitemaps'
        if (name === 'url') within = 'pages'
        if (name === 'loc') location = ''
      },
      ontext(data) {
        if (location !== undefined && location.length <= MAX_ADDRESS) location += data
      },
      onclosetag(name) {
        depth -= 1
        if (name !== 'loc' || location === undefined) return
        listed.add(within, location.trim())
        location = undefined
        if (listed.isFull) parser.pause()
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
}

function toText(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes
    return new TextDecoder().decode(plain)
  } catch {
    return ''
  }
}
