import type { FailureFields } from '@docent/extract/failure-in-english.ts'
import type { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { Page, StoredSitemap, Visit } from '../../features/sources/pages.store.ts'
import type { Source } from '../../features/sources/sources.store.ts'
import type { Services } from '../../services.ts'
import type { FetchedPage } from '../fetch/fetch-user-url.ts'
import type { CrawlFrontier } from './crawl-frontier.ts'
import type { CrawlPace } from './crawl-pace.ts'
import type { Robots } from './robots.ts'

/** The result of a page. `gone`: the page no longer exists. `skipped`: it has no text to index. */
export type Outcome = 'indexed' | 'unchanged' | 'gone' | 'skipped' | 'failed'

/** The state of a running crawl. */
export interface Crawl {
  services: Services
  source: Source
  /** Aborts when the server stops or the source is lost. */
  signal: AbortSignal
  origin: string
  robots: Robots
  frontier: CrawlFrontier
  pace: CrawlPace
  /** The start page, which is already fetched. */
  first: FetchedPage
  /** Results of earlier crawls. Pages are keyed by the URL they are cited by, visits by the requested URL. */
  pages: Map<string, Page>
  visits: Map<string, Visit>
  sitemaps: Map<string, StoredSitemap>
  /** The pages, visits and sitemaps that this crawl found again or added. */
  presentPages: Set<string>
  presentVisits: Set<string>
  presentSitemaps: Set<string>
  /** Hashes of the texts that this crawl has kept or indexed. Duplicates are skipped. */
  texts: Set<string>
  /** A digest of the code and programs that read pages (`readingFingerprint`). */
  reader: string
  counts: Record<Outcome, number>
  errors: ({ url: string } & FailureFields)[]
  firstError: IngestionError | undefined
}

/** Whether a 304 response is enough: the stored result still exists, and the current reader produced it. */
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
