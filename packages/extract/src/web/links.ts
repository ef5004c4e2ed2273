import { HtmlParser } from './html-parser.ts'

/** What a page says about other pages, and about itself. */
export interface PageLinks {
  links: string[]
  canonical: string | undefined
  /** Where the page sends its readers at once. */
  refresh: string | undefined
  /** Its owner does not want it to be found. */
  noindex: boolean
  /** It is built by scripts, so that there may be nothing to read without them. */
  scripted: boolean
  /** It has a field for a password. */
  asksPassword: boolean
}

const MAX_LINKS = 2_000
// More than servers take.
const MAX_ADDRESS = 8_192
// After longer, it is meant for those who stay: a page that is shown on a wall, say.
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
  /** A page that only loads itself again now and then is no way to another one. */
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
      // Inside of noscript, it only sends away those who could not use the page.
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
