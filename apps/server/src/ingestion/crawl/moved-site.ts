import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'

// As most programs call theirs, and those that many sites share.
const SIGN_IN = /(?:^|[/._-])(?:log[_-]?in|sign[_-]?in|sso|saml2?|oauth2?|authorize)(?:$|[/._-])/i

/** Ends the reading of a whole site, unlike what is wrong with one of its pages. */
export class LostWayError extends IngestionError {}

/** Where an address has led, and where it leads now. */
export interface Way {
  /** Where it ended the last time that all went well. */
  before: unknown
  url: string
  /** What the page there says, if it is one of HTML. */
  leads: PageLinks | undefined
}

/** A page that is now behind a sign-in page: it is called so, and asks for a password. */
export function refuseSignInPage(way: Way): void {
  if (isElsewhere(way) && countSigns(way) === 2) throw nowSignInPage(way)
}

/**
 * The same for the start of a site, which would else become the only page of it. One sign is enough if the page leads to
 * none of those that were read. A site that has moved leads to its pages at its new place.
 */
export function refuseSignInToSite(way: Way, pages: Iterable<string>): void {
  if (!isElsewhere(way)) return
  const signs = countSigns(way)
  if (signs === 2 || (signs === 1 && !leadsToAny(way, pages))) throw nowSignInPage(way)
}

/** Nor is what leads to nothing the start of a site that had several pages: it is parked, say, or down for a while. */
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
  // What was called so before is about signing in, as the manual of a program is.
  const isCalledSo = isSignIn(url) && !isSignIn(String(before))
  return Number(isCalledSo) + Number(leads?.asksPassword ?? false)
}

function isSignIn(url: string): boolean {
  return SIGN_IN.test(URL.parse(url)?.pathname ?? '')
}

/** By their paths, wherever it is now. Its own address, and the one it had, are no way to others. */
function leadsToAny({ before, url, leads }: Way, pages: Iterable<string>): boolean {
  const known = new Set([...pages].map(pathOf))
  known.delete(pathOf(String(before)))
  known.delete(pathOf(url))
  return leads?.links.some((link) => known.has(pathOf(link))) ?? false
}

function pathOf(url: string): string {
  // What an imported file names need not be an address.
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname + search
}

function nowSignInPage({ url }: Way): LostWayError {
  const failure = { code: 'leads_to_sign_in', params: { address: shown(url) } } as const
  return new LostWayError('error:download', failure)
}

/** What stands behind it is for the sign-in page alone. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
