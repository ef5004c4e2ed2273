import type { CrawlSettings } from '../store/sources.ts'
import { matchesPath } from './path-pattern.ts'
import type { Robots } from './robots.ts'

export interface Stop {
  url: string
  depth: number
  /** How often it has been put off. */
  retries: number
  /** When it may be asked, by the clock that is never set. */
  notBefore: number
}

// What a browser loads beside pages, and what nobody reads.
const NOT_A_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|map|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|ogg|wav|avi|mov|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|deb|rpm|iso|wasm)$/i

/** The addresses that a crawl still has to go to: each once, on the origin, allowed, in the order they were found. */
export class CrawlFrontier {
  readonly #origin: string
  readonly #settings: CrawlSettings
  readonly #robots: Robots
  readonly #seen = new Set<string>()
  readonly #waiting: Stop[] = []
  /** To be asked again, the first one first. */
  readonly #putOff: Stop[] = []
  #taken = 0

  constructor(origin: string, settings: CrawlSettings, robots: Robots) {
    this.#origin = origin
    this.#settings = settings
    this.#robots = robots
  }

  get found(): number {
    return Math.min(this.#taken + this.#waiting.length, this.#settings.max_pages)
  }

  get taken(): number {
    return this.#taken
  }

  add(url: string, depth: number): void {
    // What would never have its turn need not be remembered, however many links there are.
    const isFull = this.#taken + this.#waiting.length >= this.#settings.max_pages
    if (isFull || this.#seen.has(url) || !this.#wants(url, depth)) return
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
    const { include, exclude, max_depth } = this.#settings
    return (
      origin === this.#origin &&
      depth <= max_depth &&
      !NOT_A_PAGE.test(pathname) &&
      this.#robots.allows(path) &&
      (include.length === 0 || depth === 0 || include.some((one) => matchesPath(one, path))) &&
      !exclude.some((one) => matchesPath(one, path))
    )
  }
}
