import { setImmediate as othersTurn } from 'node:timers/promises'
import type { CrawlSettings } from '@docent/contract/sources.ts'
import { isBesidePages } from '@docent/extract/detect/detect-kind.ts'
import { compilePattern } from './path-pattern.ts'
import type { Robots } from './robots.ts'

export interface Stop {
  url: string
  depth: number
  /** How often it has been put off. */
  retries: number
  /** When it may be asked, by the clock that is never set. */
  notBefore: number
}

type Matches = (path: string) => boolean

// A site can name more addresses than can be looked at without holding everybody else up.
const TURN_MS = 10

/** The addresses that a crawl still has to go to: each once, on the origin, allowed, in the order they were found. */
export class CrawlFrontier {
  readonly #origin: string
  readonly #settings: CrawlSettings
  readonly #robots: Robots
  readonly #include: Matches[]
  readonly #exclude: Matches[]
  readonly #seen = new Set<string>()
  readonly #waiting: Stop[] = []
  /** To be asked again, the first one first. */
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

  /** What would never have its turn need not be remembered, however many links there are. */
  get #isFull(): boolean {
    return this.#taken + this.#waiting.length >= this.#settings.max_pages
  }

  /** Addresses as a page or a sitemap names them. What is none is left out. */
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

  /** False if the address has been gone to, or is about to be, under this or another name. */
  markSeen(url: string): boolean {
    if (this.#seen.has(url)) return false
    this.#seen.add(url)
    return true
  }

  /** Puts an address off. Others go first meanwhile. */
  putOff({ url, depth, retries }: Stop, notBefore: number): void {
    this.#putOff.push({ url, depth, retries: retries + 1, notBefore })
    this.#putOff.sort((a, b) => a.notBefore - b.notBefore)
  }

  /** Where to go next. What was put off comes when its time has come, or when there is nothing else left. */
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
