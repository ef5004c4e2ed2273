import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { StoredSitemap } from '../../features/sources/pages.store.ts'
import { recordSitemap } from '../../search/record-crawl.ts'
import { fetchPage } from '../fetch/fetch-user-url.ts'
import type { Crawl } from './crawl-state.ts'
import type { Sitemap } from './sitemap.ts'
import { fetchOptions } from './visit-page.ts'

const MAX_SITEMAPS = 50
const NOTHING: Sitemap = { sitemaps: [], pages: [] }

/** Adds all pages that the site's sitemaps list, nested sitemaps included, to the crawl. */
export async function addSitemaps(crawl: Crawl): Promise<void> {
  const { origin, robots, frontier } = crawl
  const named = robots.sitemaps.length > 0 ? robots.sitemaps : [`${origin}/sitemap.xml`]
  const all = new Set(named.slice(0, MAX_SITEMAPS))
  // The loop also visits nested sitemaps that it adds to the set.
  for (const url of all) {
    const { sitemaps, pages } = await readSitemap(crawl, url)
    for (const inner of sitemaps) {
      if (all.size >= MAX_SITEMAPS) break
      all.add(inner)
    }
    await frontier.addAll(pages, 1)
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
    const content = await services.documents.listSitemap(page.bytes, signal)
    const { etag, last_modified } = page
    const stored = { source_id: source.id, url, etag, last_modified }
    const lists = JSON.stringify(content)
    await recordSitemap(services.db, source, { ...stored, lists })
    return content
  } catch (error) {
    // A failure on this side says nothing about the site. Without the sitemap, most pages would be deleted as gone.
    if (signal.aborted || !(error instanceof IngestionError)) throw error
    if (error.wasKilled) throw new Error('The sitemap was not read to its end', { cause: error })
    if (!known || error.status === 'error:not found') return NOTHING
    // The failure may be temporary, so the pages that the sitemap listed are not gone.
    presentSitemaps.add(url)
    return contentOf(known)
  }
}

function contentOf({ lists }: StoredSitemap): Sitemap {
  return JSON.parse(lists)
}
