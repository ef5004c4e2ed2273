import type { FailureFields } from '@docent/extract/failure-in-english.ts'
import type { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { Page, StoredSitemap, Visit } from '../../features/sources/pages.store.ts'
import type { Source } from '../../features/sources/sources.store.ts'
import type { Services } from '../../services.ts'
import type { FetchedPage } from '../fetch/fetch-page.ts'
import type { CrawlFrontier } from './crawl-frontier.ts'
import type { CrawlPace } from './crawl-pace.ts'
import type { Robots } from './robots.ts'

/** What became of a page. Gone: it is not there any more; skipped: there is nothing in it for us. */
export type Outcome = 'indexed' | 'unchanged' | 'gone' | 'skipped' | 'failed'

/** All that a crawl knows while it goes on. */
export interface Crawl {
  services: Services
  source: Source
  /** Aborted when the server stops, or the source is lost. */
  signal: AbortSignal
  origin: string
  robots: Robots
  frontier: CrawlFrontier
  pace: CrawlPace
  /** The page that it starts from, which has been fetched already. */
  first: FetchedPage
  /** What an earlier crawl stored: pages by the address they are cited by, visits by the one that was asked. */
  pages: Map<string, Page>
  visits: Map<string, Visit>
  sitemaps: Map<string, StoredSitemap>
  /** What of that is still there, or new. */
  presentPages: Set<string>
  presentVisits: Set<string>
  presentSitemaps: Set<string>
  /** The hashes of the texts that are there. */
  texts: Set<string>
  /** What reads it. */
  reader: string
  counts: Record<Outcome, number>
  errors: ({ url: string } & FailureFields)[]
  firstError: IngestionError | undefined
}

/**
 * Whether a page need not be fetched again if it has not changed: what was stored of it is still there, and would be read
 * in the same way.
 */
export function isKept(crawl: Pick<Crawl, 'pages' | 'texts' | 'reader'>, visit: Visit): boolean {
  const { pages, texts, reader } = crawl
  const { revision, page_url } = visit
  const isThere =
    revision === '' || texts.has(revision) || pages.get(page_url)?.revision === revision
  return isThere && visit.reader === reader
}

export function progressOf({ frontier, counts, errors }: Crawl) {
  const { taken, found } = frontier
  const percent = Math.round((100 * taken) / Math.max(found, 1))
  return { progress: { percent, done: taken, found, ...counts }, page_errors: errors }
}
