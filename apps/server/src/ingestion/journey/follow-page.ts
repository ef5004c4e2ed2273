import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { parseRobots, type Robots } from '../crawl/robots.ts'
import { type FetchedPage, type FetchOptions, fetchPage } from '../fetch/fetch-user-url.ts'

/** The result of looking at a page: the URL that it leads to, or its content. */
export type Look<T> = { leadsTo: string } | { found: T }

interface FollowOptions extends FetchOptions {
  /** If true, a temporarily unavailable robots.txt is an error. A page that a user named is read anyway. */
  needsRobots: boolean
}

interface FollowedPage<T> {
  page: FetchedPage
  found: T
  /** The robots.txt of the page's own site. */
  robots: Robots
  /** The pages that led here without an HTTP redirect. */
  passed: { page: FetchedPage; leadsTo: string }[]
}

const MAX_PAGES = 6
const ROBOTS_TIME_LIMIT_MS = 10_000

/**
 * Follows redirects, and pages that lead on by themselves, to the final page. Each step passes the connection guard and
 * the robots.txt of its site.
 */
export async function followPage<T>(
  start: string,
  options: FollowOptions,
  look: (page: FetchedPage, robots: Robots) => Promise<Look<T>>,
): Promise<FollowedPage<T>> {
  const guarded = { ...options, startedAt: start }
  const sites = new Map<string, Robots>()
  const beforeHop = async (url: URL) => {
    const { known: _, ...plain } = guarded
    const robots = sites.get(url.origin) ?? (await readRobots(url.origin, plain))
    sites.set(url.origin, robots)
    requireAllowed(robots, url)
  }
  const passed: FollowedPage<T>['passed'] = []
  for (let next = start; passed.length < MAX_PAGES; ) {
    const page = await fetchPage(next, { ...guarded, beforeHop })
    const robots = sites.get(new URL(page.url).origin)!
    const result = await look(page, robots)
    if ('found' in result) return { page, found: result.found, robots, passed }
    passed.push({ page, leadsTo: result.leadsTo })
    next = result.leadsTo
  }
  throw new IngestionError('error:download', { code: 'endless_redirects' })
}

/** A site without a robots.txt allows everything. */
async function readRobots(origin: string, options: FollowOptions): Promise<Robots> {
  try {
    const url = `${origin}/robots.txt`
    const { bytes } = await fetchPage(url, { ...options, timeLimitMs: ROBOTS_TIME_LIMIT_MS })
    return parseRobots(new TextDecoder().decode(bytes))
  } catch (error) {
    const mayPass = error instanceof IngestionError && error.mayPass
    if (mayPass && (options.needsRobots || options.signal?.aborted)) throw error
    return parseRobots('')
  }
}

function requireAllowed(robots: Robots, { pathname, search }: URL): void {
  if (robots.allows(pathname + search)) return
  throw new IngestionError('error:download', { code: 'robots' })
}
