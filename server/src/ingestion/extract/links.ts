import { Parser } from 'htmlparser2'

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
}

const MAX_LINKS = 2_000

export function extractLinks(html: string, pageUrl: string): PageLinks {
  const links = new Set<string>()
  let base = pageUrl
  let canonical: string | undefined
  let refresh: string | undefined
  let noindex = false
  let nofollow = false
  let scripted = false
  const resolve = (target: string) => {
    const url = URL.parse(target.trim(), base)
    if (!url || !/^https?:$/.test(url.protocol)) return undefined
    url.hash = ''
    return url.href
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const { href, content = '', rel = '' } = attributes
      if (name === 'base' && href) base = URL.parse(href, pageUrl)?.href ?? pageUrl
      if (name === 'script') scripted = true
      if (name === 'link' && href && /\bcanonical\b/i.test(rel)) canonical = resolve(href)
      if (name === 'meta' && /^(robots|docent)$/i.test(attributes.name ?? '')) {
        noindex ||= /\b(noindex|none)\b/i.test(content)
        nofollow ||= /\b(nofollow|none)\b/i.test(content)
      }
      if (name === 'meta' && /^refresh$/i.test(attributes['http-equiv'] ?? '')) {
        const target = /^\s*\d+\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1]
        if (target) refresh = resolve(target)
      }
      const leads = (name === 'a' || name === 'area') && href && !/\bnofollow\b/i.test(rel)
      const target = leads ? resolve(href) : undefined
      if (target && links.size < MAX_LINKS) links.add(target)
    },
  })
  parser.end(html)
  return { links: nofollow ? [] : [...links], canonical, refresh, noindex, scripted }
}
