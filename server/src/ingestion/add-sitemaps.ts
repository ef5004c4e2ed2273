import { recordSitemap } from '../search/write-passages.ts'
import type { StoredSitemap } from '../store/pages.ts'
import type { Crawl } from './crawl-state.ts'
import { fetchPage } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'
import { parseSitemap, type Sitemap } from './sitemap.ts'
import { fetchOptions } from './visit-page.ts'

const MAX_SITEMAPS = 50
const NOTHING: Sitemap = { sitemaps: [], pages: [] }

/** Adds the pages that a site's sitemaps list, nested ones included, to those that a crawl goes to. */
export async function addSitemaps(crawl: Crawl): Promise<void> {
  const { origin, robots, frontier } = crawl
  const waiting = robots.sitemaps.length > 0 ? [...robots.sitemaps] : [`${origin}/sitemap.xml`]
  const seen = new Set<string>()
  while (waiting.length > 0 && seen.size < MAX_SITEMAPS) {
    const url = waiting.shift()!
    if (seen.has(url)) continue
    seen.add(url)
    const { sitemaps, pages } = await readSitemap(crawl, url)
    waiting.push(...sitemaps)
    for (const page of pages) {
      const parsed = URL.parse(page)
      if (!parsed) continue
      parsed.hash = ''
      frontier.add(parsed.href, 1)
    }
  }
}

async function readSitemap(crawl: Crawl, url: string): Promise<Sitemap> {
  const { services, source, signal, origin, sitemaps, presentSitemaps } = crawl
  const known = sitemaps.get(url)
  try {
    const page = await fetchPage(url, {
      ...fetchOptions(crawl),
      stayOn: origin,
      known: () => known,
    })
    presentSitemaps.add(url)
    if (page.unchanged && known) return contentOf(known)
    const content = await parseSitemap(page.bytes)
    const { etag, last_modified } = page
    const stored = { source_id: source.id, url, etag, last_modified }
    const lists = JSON.stringify(content)
    await recordSitemap(services.db, source, { ...stored, lists })
    return content
  } catch (error) {
    if (signal.aborted) throw error
    const mayPass = error instanceof IngestionError && error.mayPass
    if (!known || !mayPass) return NOTHING
    // It may be back tomorrow: until then, what it listed is not gone.
    presentSitemaps.add(url)
    return contentOf(known)
  }
}

function contentOf({ lists }: StoredSitemap): Sitemap {
  return JSON.parse(lists)
}
