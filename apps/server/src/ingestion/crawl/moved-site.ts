import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'

// Path names that most software gives its sign-in page, and those of shared sign-in services.
const SIGN_IN = /(?:^|[/._-])(?:log[_-]?in|sign[_-]?in|sso|saml2?|oauth2?|authorize)(?:$|[/._-])/i

/** Ends the whole crawl. Other errors fail a single page. */
export class LostWayError extends IngestionError {}

/** Where a URL led before, and where it leads now. */
export interface Way {
  /** The final URL of the last successful read. */
  before: unknown
  url: string
  /** The links of that page, if it is HTML. */
  leads: PageLinks | undefined
}

/** Throws if a page is now behind a sign-in page: its path looks like one, and it asks for a password. */
export function refuseSignInPage(way: Way): void {
  if (isElsewhere(way) && countSigns(way) === 2) throw nowSignInPage(way)
}

/**
 * Throws if the start of a site is now a sign-in page, which would replace all other pages. One sign is enough if the
 * page links to none of the known pages. A site that has moved still links to its pages.
 */
export function refuseSignInToSite(way: Way, pages: Iterable<string>): void {
  if (!isElsewhere(way)) return
  const signs = countSigns(way)
  if (signs === 2 || (signs === 1 && !leadsToAny(way, pages))) throw nowSignInPage(way)
}

/** Throws if the start URL of a site with several pages now leads to a page without links, such as a parked domain. */
export function refuseDeadEnd(way: Way): void {
  const { before, url, leads } = way
  const { origin } = new URL(url)
  const leadsOn = leads?.links.some(
    (link) => link !== url && link !== before && new URL(link).origin === origin,
  )
  if (!isElsewhere(way) || leadsOn) return
  const failure = { code: 'leads_elsewhere', params: { address: shown(url) } } as const
  throw new LostWayError('error:download', failure)
}

function isElsewhere({ before, url }: Way): boolean {
  return typeof before === 'string' && before !== url
}

function countSigns({ before, url, leads }: Way): number {
  // If the previous URL looked like a sign-in page, too, the page is about signing in, such as a manual.
  const isCalledSo = isSignIn(url) && !isSignIn(String(before))
  return Number(isCalledSo) + Number(leads?.asksPassword ?? false)
}

function isSignIn(url: string): boolean {
  return SIGN_IN.test(URL.parse(url)?.pathname ?? '')
}

/** Compares paths only, because the host may have changed. The URL itself and the previous one do not count. */
function leadsToAny({ before, url, leads }: Way, pages: Iterable<string>): boolean {
  const known = new Set([...pages].map(pathOf))
  known.delete(pathOf(String(before)))
  known.delete(pathOf(url))
  return leads?.links.some((link) => known.has(pathOf(link))) ?? false
}

function pathOf(url: string): string {
  // URLs from an imported file may be invalid.
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname + search
}

function nowSignInPage({ url }: Way): LostWayError {
  const failure = { code: 'leads_to_sign_in', params: { address: shown(url) } } as const
  return new LostWayError('error:download', failure)
}

/** Leaves out the query and the hash, which are meant for the sign-in page only. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
