import { setImmediate as othersTurn } from 'node:timers/promises'
import type { CrawlSettings } from '@docent/contract/sources.ts'
import { isBesidePages } from '@docent/extract/detect/detect-kind.ts'
import { compilePattern } from './path-pattern.ts'
import type { Robots } from './robots.ts'

export interface Stop {
  url: string
  depth: number
  retries: number
  /** Earliest time of the request, on the monotonic clock. */
  notBefore: number
}

type Matches = (path: string) => boolean

// A site can list very many URLs. Yield to the event loop this often, so that other requests are not blocked.
const TURN_MS = 10

/** The URLs that a crawl still has to visit: unique, on one origin, allowed, in the order of discovery. */
export class CrawlFrontier {
  readonly #origin: string
  readonly #settings: CrawlSettings
  readonly #robots: Robots
  readonly #include: Matches[]
  readonly #exclude: Matches[]
  readonly #seen = new Set<string>()
  readonly #waiting: Stop[] = []
  /** Stops to retry, sorted by time. */
  readonly #putOff: Stop[] = []
  #taken = 0

  constructor(origin: string, settings: CrawlSettings, robots: Robots) {
    this.#origin = origin
    this.#settings = settings
    this.#robots = robots
    this.#include = settings.include.map(compilePattern)
    this.#exclude = settings.exclude.map(compilePattern)
  }

  get found(): number {
    return Math.min(this.#taken + this.#waiting.length, this.#settings.max_pages)
  }

  get taken(): number {
    return this.#taken
  }

  /** URLs beyond the page limit would never be visited, so they are not stored. */
  get #isFull(): boolean {
    return this.#taken + this.#waiting.length >= this.#settings.max_pages
  }

  /** Adds URLs from a page or a sitemap. Skips invalid ones. */
  async addAll(urls: Iterable<string>, depth: number): Promise<void> {
    let since = performance.now()
    for (const given of urls) {
      if (this.#isFull) return
      const url = URL.parse(given)
      if (!url) continue
      url.hash = ''
      this.add(url.href, depth)
      if (performance.now() - since < TURN_MS) continue
      await othersTurn()
      since = performance.now()
    }
  }

  add(url: string, depth: number): void {
    if (this.#isFull || this.#seen.has(url) || !this.#wants(url, depth)) return
    this.#seen.add(url)
    this.#waiting.push({ url, depth, retries: 0, notBefore: 0 })
  }

  /** Returns false if the crawl already knows the URL, as an address or as a canonical URL. */
  markSeen(url: string): boolean {
    if (this.#seen.has(url)) return false
    this.#seen.add(url)
    return true
  }

  /** Retries a stop later. Other stops go first meanwhile. */
  putOff({ url, depth, retries }: Stop, notBefore: number): void {
    this.#putOff.push({ url, depth, retries: retries + 1, notBefore })
    this.#putOff.sort((a, b) => a.notBefore - b.notBefore)
  }

  /** Returns a retry when its time has come or when nothing else is left. */
  next(): Stop | undefined {
    const [early] = this.#putOff
    if (early && (early.notBefore <= performance.now() || this.#waiting.length === 0)) {
      return this.#putOff.shift()
    }
    const stop = this.#waiting.shift()
    if (stop) this.#taken += 1
    return stop
  }

  #wants(url: string, depth: number): boolean {
    const { origin, pathname, search } = new URL(url)
    const path = pathname + search
    const fits = (matches: Matches) => matches(path)
    return (
      origin === this.#origin &&
      depth <= this.#settings.max_depth &&
      !isBesidePages(pathname) &&
      this.#robots.allows(path) &&
      (this.#include.length === 0 || depth === 0 || this.#include.some(fits)) &&
      !this.#exclude.some(fits)
    )
  }
}
