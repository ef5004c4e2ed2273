import { HtmlParser } from './html-parser.ts'

/** Links and metadata of a page. */
export interface PageLinks {
  links: string[]
  canonical: string | undefined
  /** The target of an immediate redirect in the page. */
  refresh: string | undefined
  /** The owner excludes the page from search. */
  noindex: boolean
  /** Scripts build the page, so it may have no text without them. */
  scripted: boolean
  /** The page has a password field. */
  asksPassword: boolean
}

const MAX_LINKS = 2_000
// Servers reject longer URLs.
const MAX_ADDRESS = 8_192
// Longer delays are not redirects, for example on a page that is shown on a wall display.
const MAX_REFRESH_SECONDS = 10

export function extractLinks(html: string, pageUrl: string): PageLinks {
  const links = new Set<string>()
  let base = pageUrl
  let canonical: string | undefined
  let refresh: string | undefined
  let noindex = false
  let nofollow = false
  let scripted = false
  let asksPassword = false
  let noscriptDepth = 0
  const resolve = (target: string) => {
    const url = URL.parse(target.trim(), base)
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    url.hash = ''
    return url.href.length > MAX_ADDRESS ? undefined : url.href
  }
  /** A page that only reloads itself is not a redirect. */
  const readRefresh = (content: string) => {
    const [, seconds, target] =
      /^(\d*(?:\.\d*)?)(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.trim()) ?? []
    const url = target && Number(seconds) <= MAX_REFRESH_SECONDS ? resolve(target) : undefined
    return url === pageUrl ? undefined : url
  }
  const parser = new HtmlParser({
    onopentag(name, attributes) {
      const { href, content = '', rel = '' } = attributes
      if (name === 'base' && href) base = URL.parse(href, pageUrl)?.href ?? pageUrl
      if (name === 'script') scripted = true
      if (name === 'input' && attributes.type?.trim().toLowerCase() === 'password')
        asksPassword = true
      if (name === 'noscript') noscriptDepth += 1
      if (name === 'link' && href && /\bcanonical\b/i.test(rel)) canonical = resolve(href)
      if (name === 'meta' && /^(robots|docent)$/i.test(attributes.name ?? '')) {
        noindex ||= /\b(noindex|none)\b/i.test(content)
        nofollow ||= /\b(nofollow|none)\b/i.test(content)
      }
      const refreshes = name === 'meta' && /^\s*refresh\s*$/i.test(attributes['http-equiv'] ?? '')
      // Inside noscript, a redirect is only for browsers without scripts.
      if (refreshes && noscriptDepth === 0) refresh ??= readRefresh(content)
      const leads = (name === 'a' || name === 'area') && href && !/\bnofollow\b/i.test(rel)
      const target = leads ? resolve(href) : undefined
      if (target && links.size < MAX_LINKS) links.add(target)
    },
    onclosetag(name) {
      if (name === 'noscript') noscriptDepth -= 1
    },
  })
  parser.end(html)
  const found = nofollow ? [] : [...links]
  return { links: found, canonical, refresh, noindex, scripted, asksPassword }
}
