import { updateClaimed } from '../jobs/claim-source.ts'
import { replacePagePassages } from '../search/sqlite-index.ts'
import type { Services } from '../services.ts'
import { deletePage, listPages, type Page } from '../store/pages.ts'
import { type CrawlSettings, metaOf, type Source, type SourceMeta } from '../store/sources.ts'
import { isReadable, toReadable } from './convert-legacy.ts'
import { CrawlFrontier, type Stop } from './crawl-frontier.ts'
import { detectKind } from './extract/detect-kind.ts'
import { type FetchedPage, fetchPage, parseWebUrl } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'
import { parseRobots, type Robots } from './robots.ts'
import { readSitemaps } from './sitemap.ts'

const PAGE_TIME_LIMIT_MS = 10_000
const PAGE_MAX_BYTES = 10 * 1024 * 1024
const MAX_ERRORS_SHOWN = 20

/** What became of a page. Gone: it is not there any more; skipped: there is nothing in it for us. */
type Outcome = 'indexed' | 'unchanged' | 'gone' | 'skipped' | 'failed'

interface Crawl {
  services: Services
  source: Source
  origin: string
  frontier: CrawlFrontier
  /** The page that it starts from, which has been fetched already. */
  first: FetchedPage
  /** What an earlier crawl stored, by address. */
  known: Map<string, Page>
  /** Pages that are there, by address; texts that were indexed, by hash. */
  present: Set<string>
  texts: Set<string>
  counts: Record<Outcome, number>
  errors: { url: string; error: string }[]
}

/**
 * Reads a site page by page: each can be found as soon as it is read, and is cited by its own address. A page that has
 * not changed is not fetched again, and one that is gone is forgotten. Returns undefined when the source was lost
 * meanwhile.
 */
export async function crawlSite(
  services: Services,
  source: Source,
  settings: CrawlSettings,
): Promise<SourceMeta | undefined> {
  const crawl = await beginCrawl(services, source, settings)
  for (let stop = crawl.frontier.next(); stop; stop = crawl.frontier.next()) {
    const outcome = await visit(crawl, stop)
    crawl.counts[outcome] += 1
    if (!(await showProgress(crawl))) return undefined
  }
  if (crawl.present.size === 0) throw nothingThere(crawl)
  for (const [url, page] of crawl.known) {
    if (!crawl.present.has(url)) await deletePage(services.db, page)
  }
  return { ...metaOf(source), ...progressOf(crawl), final_url: crawl.origin, fetched_at: now() }
}

async function beginCrawl(
  services: Services,
  source: Source,
  settings: CrawlSettings,
): Promise<Crawl> {
  const start = parseWebUrl(String(metaOf(source).url))
  const known = new Map((await listPages(services.db, source.id)).map((page) => [page.url, page]))
  let robots = await readRobots(services, start.origin)
  requireAllowed(robots, start)
  // The start may lead elsewhere, to www or to https: that is the site then.
  const first = await fetchPage(start.href, {
    ...fetchOptions(services),
    ...knownOf(known.get(start.href)),
  })
  const { origin } = new URL(first.url)
  if (origin !== start.origin) robots = await readRobots(services, origin)
  requireAllowed(robots, new URL(first.url))
  const frontier = new CrawlFrontier(origin, settings, robots)
  frontier.add(first.url, 0)
  const sitemaps = robots.sitemaps.length > 0 ? robots.sitemaps : [`${origin}/sitemap.xml`]
  if (settings.max_depth > 0 && settings.max_pages > 1) {
    const fetchOnSite = (url: string) =>
      fetchPage(url, { ...fetchOptions(services), stayOn: origin }).catch(() => undefined)
    for (const url of await readSitemaps(sitemaps, fetchOnSite)) {
      const parsed = URL.parse(url)
      if (parsed) frontier.add(parsed.href, 1)
    }
  }
  return {
    services,
    source,
    origin,
    frontier,
    known,
    first,
    present: new Set(),
    texts: new Set(),
    counts: { indexed: 0, unchanged: 0, gone: 0, skipped: 0, failed: 0 },
    errors: [],
  }
}

/** A site without a robots.txt allows everything; one that can't say what it allows is asked again later. */
async function readRobots(services: Services, origin: string): Promise<Robots> {
  try {
    const { bytes } = await fetchPage(`${origin}/robots.txt`, {
      ...fetchOptions(services),
      stayOn: origin,
    })
    return parseRobots(new TextDecoder().decode(bytes))
  } catch (error) {
    if (error instanceof IngestionError && error.mayPass) throw error
    return parseRobots('')
  }
}

function requireAllowed(robots: Robots, { pathname, search }: URL): void {
  if (robots.allows(pathname + search)) return
  throw new IngestionError('error:download', 'The site’s robots.txt asks not to read this page.')
}

function fetchOptions({ config, stopping }: Services) {
  return {
    allowPrivateHosts: config.allowPrivateHosts,
    signal: stopping,
    timeLimitMs: PAGE_TIME_LIMIT_MS,
    maxBytes: PAGE_MAX_BYTES,
  }
}

async function visit(crawl: Crawl, stop: Stop): Promise<Outcome> {
  const { services, first, frontier, known } = crawl
  const before = known.get(stop.url)
  try {
    const page =
      stop.url === first.url
        ? first
        : await fetchPage(stop.url, {
            ...fetchOptions(services),
            ...knownOf(before),
            // What it leads to is only another address, with the same conditions as any.
            followRedirects: false,
          })
    if (page.redirectedTo !== undefined) {
      frontier.add(page.redirectedTo, stop.depth)
      return 'skipped'
    }
    if (page.unchanged && before) return keepPage(crawl, stop, before)
    return await takePage(crawl, stop, page)
  } catch (error) {
    if (services.stopping.aborted) throw error
    return fail(crawl, stop.url, error)
  }
}

function knownOf(page: Page | undefined) {
  return page ? { known: { etag: page.etag, lastModified: page.last_modified } } : {}
}

function keepPage({ frontier, present, texts }: Crawl, stop: Stop, page: Page): Outcome {
  present.add(page.url)
  texts.add(page.revision)
  for (const link of JSON.parse(page.links) as string[]) frontier.add(link, stop.depth + 1)
  return 'unchanged'
}

async function takePage(crawl: Crawl, stop: Stop, page: FetchedPage): Promise<Outcome> {
  const { services, source, frontier, present, texts } = crawl
  const { documents, programs } = services
  const kind = detectKind(page.bytes, page.url, page.contentType)
  if (!kind || !isReadable(programs, kind)) return 'skipped'
  const given = { bytes: page.bytes, kind, charset: page.charset }
  const input = await toReadable(programs, given, services.stopping)
  const leads = kind === 'html' ? await documents.findLinks(input, page.url) : undefined
  if (leads?.refresh) {
    frontier.add(leads.refresh, stop.depth)
    return 'skipped'
  }
  for (const link of leads?.links ?? []) frontier.add(link, stop.depth + 1)
  const { title, text, hash, tokens, passages } = await documents.read(input)
  if (leads?.noindex || text.trim() === '' || texts.has(hash)) return 'skipped'
  const url = addressOf(crawl, page, leads?.canonical)
  texts.add(hash)
  present.add(url)
  const stored = {
    url,
    title: title === '' ? url : title,
    tokens,
    file_size: page.bytes.length,
    etag: page.etag,
    last_modified: page.lastModified,
    links: JSON.stringify(leads?.links ?? []),
  }
  await replacePagePassages(services, source, stored, { text, hash, passages })
  return 'indexed'
}

/** A page is cited by the address that it calls its own, if nothing else is known under it. */
function addressOf(
  { origin, frontier }: Crawl,
  page: FetchedPage,
  canonical: string | undefined,
): string {
  const own = canonical && new URL(canonical).origin === origin ? canonical : page.url
  return own === page.url || frontier.markSeen(own) ? own : page.url
}

function fail(crawl: Crawl, url: string, error: unknown): Outcome {
  const { known, present, errors } = crawl
  const reason = error instanceof IngestionError ? error : undefined
  if (reason?.status === 'error:not found') return 'gone'
  if (errors.length < MAX_ERRORS_SHOWN) {
    errors.push({ url, error: reason?.message ?? 'It could not be read.' })
  }
  // It may be back tomorrow: until then, what was read of it serves.
  if (known.has(url)) present.add(url)
  return 'failed'
}

function showProgress(crawl: Crawl): Promise<boolean> {
  const meta = { ...metaOf(crawl.source), ...progressOf(crawl) }
  return updateClaimed(crawl.services.db, crawl.source, { meta: JSON.stringify(meta) })
}

function progressOf({ frontier, counts, errors }: Crawl) {
  const { taken, found } = frontier
  const percent = Math.round((100 * taken) / Math.max(found, 1))
  return { progress: { percent, done: taken, found, ...counts }, page_errors: errors }
}

function nothingThere({ errors }: Crawl): IngestionError {
  const [first] = errors
  if (!first)
    return new IngestionError('error:no text', 'There is no text on the pages of the site.')
  return new IngestionError(
    'error:download',
    `No page could be read. The first one: ${first.error}`,
    {
      mayPass: true,
    },
  )
}

function now(): string {
  return new Date().toISOString().replace(/\.\d+/, '')
}
