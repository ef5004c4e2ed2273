import { setImmediate as othersTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser } from 'htmlparser2'

/** What a sitemap lists: other sitemaps, and pages. */
export interface Sitemap {
  sitemaps: string[]
  pages: string[]
}

const MAX_BYTES = 50 * 1024 * 1024
// As many as the protocol allows in one.
const MAX_ENTRIES = 50_000
const PIECE = 256 * 1024
const inflate = promisify(gunzip)

/** Also of a gzipped one. What is no sitemap lists nothing. */
export async function parseSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const text = await toText(bytes)
  // The plain form: an address on each line.
  if (!/^\s*</.test(text)) {
    const pages = text.split(/\s+/).filter((line) => /^https?:/.test(line))
    return { sitemaps: [], pages: pages.slice(0, MAX_ENTRIES) }
  }
  const result: Sitemap = { sitemaps: [], pages: [] }
  let within: keyof Sitemap = 'pages'
  let location: string | undefined
  const parser = new Parser(
    {
      onopentagname(name) {
        if (name === 'sitemap') within = 'sitemaps'
        if (name === 'url') within = 'pages'
        if (name === 'loc') location = ''
      },
      ontext(data) {
        if (location !== undefined) location += data
      },
      onclosetag(name) {
        if (name !== 'loc' || location === undefined) return
        if (result[within].length < MAX_ENTRIES) result[within].push(location.trim())
        location = undefined
      },
    },
    { xmlMode: true },
  )
  // Piece by piece: fifty megabytes at once would hold everybody else up for a second.
  for (let at = 0; at < text.length; at += PIECE) {
    parser.write(text.slice(at, at + PIECE))
    await othersTurn()
  }
  parser.end()
  return result
}

async function toText(bytes: Uint8Array): Promise<string> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const plain = isGzip ? await inflate(bytes, { maxOutputLength: MAX_BYTES }) : bytes
    return new TextDecoder().decode(plain)
  } catch {
    return ''
  }
}
