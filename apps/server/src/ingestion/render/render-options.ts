import type { Robots } from '../crawl/robots.ts'
import type { FetchOptions } from '../fetch/fetch-user-url.ts'

export interface RenderOptions extends FetchOptions {
  /** The rules of the site's robots.txt. Requests of the page's scripts follow them, too. */
  robots: Robots
}
