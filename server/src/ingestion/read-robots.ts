import { type FetchOptions, fetchPage } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'
import { parseRobots, type Robots } from './robots.ts'

const TIME_LIMIT_MS = 10_000

/** What a site asks of robots. One without a robots.txt allows everything; throws if the site can't say for now. */
export async function readRobots(origin: string, options: FetchOptions): Promise<Robots> {
  try {
    const url = `${origin}/robots.txt`
    const { bytes } = await fetchPage(url, { ...options, timeLimitMs: TIME_LIMIT_MS })
    return parseRobots(new TextDecoder().decode(bytes))
  } catch (error) {
    if (error instanceof IngestionError && error.mayPass) throw error
    return parseRobots('')
  }
}

/** The same for a page that somebody asked for by its address: what a site can't say for now is no refusal. */
export async function readRobotsIfAny(origin: string, options: FetchOptions): Promise<Robots> {
  try {
    return await readRobots(origin, options)
  } catch (error) {
    if (options.signal?.aborted) throw error
    return parseRobots('')
  }
}

export function requireAllowed(robots: Robots, { pathname, search }: URL): void {
  if (robots.allows(pathname + search)) return
  throw new IngestionError('error:download', { code: 'robots' })
}
