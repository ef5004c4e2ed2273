import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Parser } from 'htmlparser2'
import type { FetchedPage } from './fetch-page.ts'

const MAX_SITEMAPS = 50
const MAX_BYTES = 50 * 1024 * 1024
const inflate = promisify(gunzip)

/** The addresses that a site's sitemaps list, nested and gzipped ones included; each is read once. */
export async function readSitemaps(
  given: string[],
  fetchOne: (url: string) => Promise<FetchedPage | undefined>,
): Promise<string[]> {
  const waiting = [...given]
  const seen = new Set<string>()
  const found = new Set<string>()
  while (waiting.length > 0 && seen.size < MAX_SITEMAPS) {
    const url = waiting.shift()!
    if (seen.has(url)) continue
    seen.add(url)
    const page = await fetchOne(url)
    const { sitemaps, pages } = parseSitemap(page ? await toText(page.bytes) : '')
    waiting.push(...sitemaps)
    for (const one of pages) found.add(one)
  }
  return [...found]
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

function parseSitemap(text: string): { sitemaps: string[]; pages: string[] } {
  const result = { sitemaps: [] as string[], pages: [] as string[] }
  // The plain form: an address on each line.
  if (!/^\s*</.test(text)) {
    result.pages.push(...text.split(/\s+/).filter((line) => /^https?:/.test(line)))
    return result
  }
  let within: 'sitemaps' | 'pages' = 'pages'
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
        result[within].push(location.trim())
        location = undefined
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return result
}
