import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import type { DocumentInput } from '@docent/extract/extract-document.ts'
import { failureFields } from '@docent/extract/failure-in-english.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { newVisit, type Visit } from '../../features/sources/pages.store.ts'
import { metaOf } from '../../features/sources/sources.store.ts'
import { hasSamePassages } from '../../search/has-same-passages.ts'
import { replacePagePassages } from '../../search/write-passages.ts'
import { type FetchedPage, fetchPage } from '../fetch/fetch-user-url.ts'
import { readAnyDocument } from '../journey/read-any-document.ts'
import { type PageContent, readPage } from '../journey/read-page.ts'
import { isSystemFault } from '../journey/retryable-errors.ts'
import type { Stop } from './crawl-frontier.ts'
import { type Crawl, isKept, type Outcome } from './crawl-state.ts'
import { MovedSiteError, refuseSignInToSite, rejectPageWithoutLinks } from './moved-site.ts'

const PAGE_TIME_LIMIT_MS = 10_000
const PAGE_MAX_BYTES = 10 * 1024 * 1024
const MAX_ERRORS_SHOWN = 20

export interface Visited {
  outcome: Outcome | 'put off'
  /** The visit to store. */
  visit?: Visit
}

export function fetchOptions({
  services,
  source,
  signal,
}: Pick<Crawl, 'services' | 'source' | 'signal'>) {
  return {
    guard: services.guard,
    startedAt: String(JSON.parse(source.meta).url),
    signal,
    timeLimitMs: PAGE_TIME_LIMIT_MS,
    maxBytes: PAGE_MAX_BYTES,
  }
}

/** Visits one page of a site: fetches it if it has changed, and indexes it if its text is new. */
export async function visitPage(crawl: Crawl, stop: Stop): Promise<Visited> {
  const { first, frontier, visits, signal, pace } = crawl
  const known = visits.get(stop.url)
  try {
    if (pace.refusal) throw pace.refusal
    const page =
      stop.url === first.url
        ? first
        : await fetchPage(stop.url, {
            ...fetchOptions(crawl),
            known: () => (known && isKept(crawl, known) ? known : undefined),
            // A redirect target is a URL like any other and must meet the same conditions.
            followRedirects: false,
          })
    if (page.redirectedTo !== undefined) {
      frontier.add(page.redirectedTo, stop.depth)
      return { outcome: 'skipped' }
    }
    if (page.unchanged && known) return await keepPage(crawl, stop, known)
    return await indexPage(crawl, stop, page)
  } catch (error) {
    // A failure on this side is no failure of the page. The crawl waits until it is over, and then resumes.
    if (signal.aborted || isSystemFault(error) || error instanceof MovedSiteError) throw error
    return await failPage(crawl, stop, error)
  }
}

async function keepPage(crawl: Crawl, stop: Stop, visit: Visit): Promise<Visited> {
  await followLinks(crawl, stop, visit)
  crawl.presentVisits.add(visit.url)
  const { revision, page_url } = visit
  if (revision === '' || page_url === '' || crawl.texts.has(revision)) return { outcome: 'skipped' }
  keepText(crawl, page_url, revision)
  crawl.frontier.markSeen(page_url)
  return { outcome: 'unchanged' }
}

function keepText({ presentPages, texts }: Crawl, pageUrl: string, revision: string): void {
  presentPages.add(pageUrl)
  texts.add(revision)
}

async function followLinks(
  { frontier }: Crawl,
  stop: Stop,
  { links, leads_to }: Visit,
): Promise<void> {
  if (leads_to !== '') frontier.add(leads_to, stop.depth)
  await frontier.addAll(JSON.parse(links) as string[], stop.depth + 1)
}

async function indexPage(crawl: Crawl, stop: Stop, page: FetchedPage): Promise<Visited> {
  const { services, source, signal, robots, texts, pages } = crawl
  const visit = newVisit(source, crawl.reader, page)
  const options = { ...fetchOptions(crawl), robots }
  const read = (input: DocumentInput) => readAnyDocument(services, async () => input, { signal })
  const look = await readPage(services, page, read, options).catch(isUnreadable)
  crawl.presentVisits.add(visit.url)
  if (look === undefined) {
    // A program for this type may be installed later, so the next crawl fetches even an unchanged page.
    if (detectKind(page.bytes, page.url, page.contentType)) forgetState(visit)
    return { outcome: 'skipped', visit }
  }
  if ('leadsTo' in look) {
    const leading = { ...visit, leads_to: look.leadsTo }
    await followLinks(crawl, stop, leading)
    return { outcome: 'skipped', visit: leading }
  }
  const { leads, isRendered, noindex, title, tokens, ...content } = look.found
  if (isRendered && page === crawl.first) rejectMovedSite(crawl, leads)
  visit.links = JSON.stringify(leads?.links ?? [])
  // The scripts of an unchanged page may show something else the next time.
  if (isRendered) forgetState(visit)
  await followLinks(crawl, stop, visit)
  if (noindex || content.passages.length === 0) return { outcome: 'skipped', visit }
  visit.revision = content.hash
  if (texts.has(visit.revision)) return { outcome: 'skipped', visit }

  visit.page_url = addressOf(crawl, page, look.found)
  const shown = title === '' ? visit.page_url : title
  const before = pages.get(visit.page_url)
  // Another reader may have cut the same text into different passages.
  const isNew =
    before?.title !== shown ||
    !(await hasSamePassages(services.db, source, visit.page_url, content))
  if (isNew) {
    const stored = { url: visit.page_url, title: shown, tokens, file_size: page.bytes.length }
    await replacePagePassages(services, source, stored, content)
  }
  keepText(crawl, visit.page_url, visit.revision)
  return { outcome: isNew ? 'indexed' : 'unchanged', visit }
}

/** Repeats the checks of the crawl's start for a start page that has links only after rendering. */
function rejectMovedSite(crawl: Crawl, leads: PageContent['leads']): void {
  const { source, first, pages, frontier } = crawl
  const way = { before: metaOf(source).final_url, url: first.url, leads }
  if (pages.size > 0) refuseSignInToSite(way, pages.keys())
  if (pages.size > 1 && frontier.found <= 1) rejectPageWithoutLinks(way)
}

/** Drops the validators, so that the next crawl fetches the page even if it is unchanged. */
function forgetState(visit: Visit): void {
  Object.assign(visit, { etag: '', last_modified: '' })
}

/** An unsupported file type is no failure: sites also link to images and programs. */
function isUnreadable(error: unknown): undefined {
  if (error instanceof IngestionError && error.status === 'error:content type') return undefined
  throw error
}

/** Cites a page by its canonical URL unless the crawl already knows that URL. */
function addressOf({ origin, frontier }: Crawl, page: FetchedPage, { leads }: PageContent): string {
  const canonical = leads?.canonical
  const own = canonical && new URL(canonical).origin === origin ? canonical : page.url
  return own === page.url || frontier.markSeen(own) ? own : page.url
}

async function failPage(crawl: Crawl, stop: Stop, error: unknown): Promise<Visited> {
  const { services, source, frontier, pace, visits, pages, errors, presentVisits } = crawl
  const reason = error instanceof IngestionError ? error : unforeseen()
  if (reason !== error) services.log.error({ err: error, source: source.id }, 'page failed')
  if (reason.status === 'error:not found') return { outcome: 'gone' }
  if (pace.putOff(frontier, stop, reason)) return { outcome: 'put off' }
  crawl.firstError ??= reason
  if (errors.length < MAX_ERRORS_SHOWN) errors.push({ url: stop.url, ...describe(reason, stop) })
  // The failure may be temporary. The old text and links stay in use until then.
  const known = visits.get(stop.url)
  if (known) {
    presentVisits.add(known.url)
    await followLinks(crawl, stop, known)
    if (pages.has(known.page_url)) keepText(crawl, known.page_url, known.revision)
  }
  return { outcome: 'failed' }
}

/** For example, the reading process was killed. A retry may succeed. */
function unforeseen(): IngestionError {
  return new IngestionError('fail', { code: 'not_read' }, { mayPass: true })
}

function describe({ failure: { code, params } }: IngestionError, { retries }: Stop) {
  return failureFields({ code, params: { ...params, ...(retries > 0 && { tried: retries + 1 }) } })
}
