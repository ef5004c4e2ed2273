import type { CrawlSettings } from '../store/sources.ts'
import { matchesPath } from './path-pattern.ts'
import type { Robots } from './robots.ts'

export interface Stop {
  url: string
  depth: number
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
    if (this.#seen.has(url) || !this.#wants(url, depth)) return
    this.#seen.add(url)
    this.#waiting.push({ url, depth })
  }

  /** False if the address has been gone to, or is about to be, under this or another name. */
  markSeen(url: string): boolean {
    if (this.#seen.has(url)) return false
    this.#seen.add(url)
    return true
  }

  next(): Stop | undefined {
    if (this.#taken >= this.#settings.max_pages) return undefined
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
