import type { CrawlSettings } from '@docent/contract/sources.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'
import {
  listPages,
  listSitemaps,
  listVisits,
  newVisit,
  type Visit,
} from '../../features/sources/pages.store.ts'
import { metaOf, type Source, type SourceMeta } from '../../features/sources/sources.store.ts'
import { type Remaining, recordVisit } from '../../search/record-crawl.ts'
import type { Services } from '../../services.ts'
import { type FetchedPage, parseWebUrl } from '../fetch/fetch-user-url.ts'
import { followPage, type Look } from '../journey/follow-page.ts'
import { addSitemaps } from './add-sitemaps.ts'
import { CrawlFrontier } from './crawl-frontier.ts'
import { CrawlPace } from './crawl-pace.ts'
import { type Crawl, isKept, progressOf } from './crawl-state.ts'
import { refuseSignInToSite, rejectPageWithoutLinks } from './moved-site.ts'
import { fetchOptions, visitPage } from './visit-page.ts'

interface Crawled {
  meta: SourceMeta
  remaining: Remaining
  /** How long the site asks to be left alone (`Retry-After`). */
  pauseMs: number
}

/**
 * Reads a site page by page. Each page is searchable as soon as it is read, and is cited by its own URL. Unchanged
 * pages are not downloaded again, and pages that are gone are deleted. Returns undefined if the source was lost:
 * deleted, restarted or taken over.
 */
export async function crawlSite(
  services: Services,
  source: Source,
  settings: CrawlSettings,
  lost: AbortSignal,
): Promise<Crawled | undefined> {
  const signal = AbortSignal.any([services.stopping, lost])
  const { crawl, passed } = await beginCrawl(services, source, settings, signal)
  for (const visit of passed) await remember(crawl, visit)
  for (let stop = crawl.frontier.next(); stop; stop = crawl.frontier.next()) {
    await crawl.pace.wait(stop, signal)
    const { outcome, visit } = await visitPage(crawl, stop)
    if (outcome !== 'put off') crawl.counts[outcome] += 1
    if (!(await remember(crawl, visit))) return undefined
  }
  if (crawl.presentPages.size === 0) throw noPagesError(crawl)
  return {
    meta: {
      ...metaOf(source),
      ...progressOf(crawl),
      final_url: crawl.first.url,
      fetched_at: new Date().toISOString().replace(/\.\d+/, ''),
    },
    remaining: remainingOf(crawl),
    pauseMs: crawl.pace.refusal?.retryAfterMs ?? 0,
  }
}

/** If the site refused further requests, unvisited pages may still exist, so all pages stay. */
function remainingOf(crawl: Crawl): Remaining {
  const { pace, presentPages, presentVisits, presentSitemaps, pages, visits, sitemaps } = crawl
  if (!pace.refusal)
    return { pages: presentPages, visits: presentVisits, sitemaps: presentSitemaps }
  return {
    pages: new Set([...presentPages, ...pages.keys()]),
    visits: new Set([...presentVisits, ...visits.keys()]),
    sitemaps: new Set([...presentSitemaps, ...sitemaps.keys()]),
  }
}

async function beginCrawl(
  services: Services,
  source: Source,
  settings: CrawlSettings,
  signal: AbortSignal,
) {
  const { db, readingFingerprint: reader } = services
  const pages = new Map((await listPages(db, source.id)).map((page) => [page.url, page]))
  const visits = new Map((await listVisits(db, source.id)).map((visit) => [visit.url, visit]))
  const sitemaps = new Map((await listSitemaps(db, source.id)).map((one) => [one.url, one]))
  const texts = new Set<string>()
  const options = fetchOptions({ services, source, signal })
  const knownAt = (url: string) => {
    const visit = visits.get(url)
    return visit && isKept({ pages, texts, reader }, visit) ? visit : undefined
  }
  const { final_url: before } = metaOf(source)
  // Fetch a page in full unless the start URL led to it the last time.
  const known = (url: string) =>
    before === undefined || before === url || visits.get(url)?.leads_to ? knownAt(url) : undefined
  // The start URL may redirect, for example to www or to https. The crawled site is the target.
  const start = await followPage(
    parseWebUrl(options.startedAt).href,
    { ...options, known, needsRobots: true },
    (page) => findRefreshOrLinks(services, page, known(page.url)),
  )
  const { page: first, robots, found: leads } = start
  const way = { before, url: first.url, leads }
  if (pages.size > 0) refuseSignInToSite(way, pages.keys())
  const { origin } = new URL(first.url)
  const frontier = new CrawlFrontier(origin, settings, robots)
  frontier.add(first.url, 0)
  const crawl: Crawl = {
    services,
    source,
    signal,
    origin,
    robots,
    frontier,
    pace: new CrawlPace(),
    first,
    pages,
    visits,
    sitemaps,
    presentPages: new Set(),
    presentVisits: new Set(start.passed.map(({ page }) => page.url)),
    presentSitemaps: new Set(),
    texts,
    reader,
    counts: { indexed: 0, unchanged: 0, gone: 0, skipped: 0, failed: 0 },
    errors: [],
    firstError: undefined,
  }
  for (const { page } of start.passed) frontier.markSeen(page.url)
  if (settings.max_depth > 0 && settings.max_pages > 1) await addSitemaps(crawl)
  // A scripted page shows its links only after rendering.
  const isOpen = services.renderer && leads?.scripted && leads.links.length === 0
  if (pages.size > 1 && frontier.found <= 1 && !isOpen) rejectPageWithoutLinks(way)
  const changed = start.passed.filter(({ page }) => !page.unchanged)
  const passed = changed.map(({ page, leadsTo }) => ({
    ...newVisit(source, reader, page),
    leads_to: leadsTo,
  }))
  return { crawl, passed }
}

/** Returns the page that the start page refreshes to, or else its links. */
async function findRefreshOrLinks(
  { documents }: Services,
  { bytes, url, contentType, charset, unchanged }: FetchedPage,
  known: Visit | undefined,
): Promise<Look<PageLinks | undefined>> {
  const isHtml = !unchanged && detectKind(bytes, url, contentType) === 'html'
  const leads = isHtml
    ? await documents.findLinks({ bytes, kind: 'html', charset }, url)
    : undefined
  const leadsTo = leads ? leads.refresh : known?.leads_to
  return leadsTo ? { leadsTo } : { found: leads }
}

/** Returns false if the source was lost meanwhile. */
function remember(crawl: Crawl, visit: Visit | undefined): Promise<boolean> {
  const { services, source } = crawl
  return recordVisit(services.db, source, { ...metaOf(source), ...progressOf(crawl) }, visit)
}

function noPagesError({ firstError }: Crawl): IngestionError {
  if (!firstError) return new IngestionError('error:no text', { code: 'no_text_on_site' })
  const { status, failure: first, mayPass, retryAfterMs } = firstError
  const failure = { code: 'no_page_read', params: { first } } as const
  return new IngestionError(status, failure, { mayPass, retryAfterMs })
}
