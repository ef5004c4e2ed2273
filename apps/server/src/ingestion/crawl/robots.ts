import { compilePattern } from './path-pattern.ts'

/** The rules of a robots.txt that apply to Docent. */
export interface Robots {
  allows(path: string): boolean
  sitemaps: string[]
}

/** The directives in the X-Robots-Tag headers of a page. */
export interface RobotsTag {
  noindex: boolean
  nofollow: boolean
}

const OUR_NAME = 'docent'
const EVERYBODY = '*'
// RFC 9309 requires crawlers to read at least 500 KiB.
const MAX_CHARACTERS = 512_000
// Each wildcard rule is compared with every path, so many of them would block the server.
const MAX_WILD_CHARACTERS = 32_768
// A directive with a value looks like a directive after the name of a crawler.
const WITH_VALUE = /^(unavailable_after|max-(snippet|image-preview|video-preview))$/i

/** Merges all X-Robots-Tag headers. Directives after the name of another crawler are ignored. */
export function readRobotsTag(values: string[]): RobotsTag {
  const tag = { noindex: false, nofollow: false }
  for (const value of values) {
    let isOurs = true
    for (const item of value.split(',')) {
      const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(item) ?? []
      const isNamed = name !== undefined && !WITH_VALUE.test(name)
      if (isNamed) isOurs = name.toLowerCase() === OUR_NAME
      if (!isOurs) continue
      const directive = (isNamed ? rest! : item).trim().toLowerCase()
      tag.noindex ||= directive === 'noindex' || directive === 'none'
      tag.nofollow ||= directive === 'nofollow' || directive === 'none'
    }
  }
  return tag
}

/** Applies the groups for Docent, or else those for `*`. Groups of the same name are merged (RFC 9309). */
export function parseRobots(text: string): Robots {
  const groups = new Map<string, RobotsRules>()
  const sitemaps = new Set<string>()
  const spokenTo = new Set<string>()
  let inRules = false
  for (const line of text.slice(0, MAX_CHARACTERS).split(/\r\n?|\n/)) {
    const [, field, value] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const given = value?.trim() ?? ''
    const name = field?.toLowerCase()
    switch (name) {
      case 'user-agent': {
        if (inRules) spokenTo.clear()
        inRules = false
        const agent = given.toLowerCase()
        if (agent !== OUR_NAME && agent !== EVERYBODY) break
        spokenTo.add(agent)
        if (!groups.has(agent)) groups.set(agent, new RobotsRules())
        break
      }
      case 'allow':
      case 'disallow':
        inRules = true
        if (given === '') break
        for (const agent of spokenTo) groups.get(agent)!.add(given, name === 'allow')
        break
      case 'sitemap':
        sitemaps.add(given)
        break
    }
  }
  const rules = groups.get(OUR_NAME) ?? groups.get(EVERYBODY)
  return { sitemaps: [...sitemaps], allows: (path) => rules?.allows(path) ?? true }
}

interface Rule {
  allow: boolean
  length: number
}

interface RuleIndex {
  /** Rules without a wildcard, which is most of them. Lookups go by length, because few lengths occur. */
  beginnings: Map<string, boolean>
  /** Longest first. */
  lengths: number[]
  wild: (Rule & { matches: (path: string) => boolean })[]
}

/** The rules for one crawler. A lookup never scans all of them. */
class RobotsRules {
  readonly #given = new Map<string, boolean>()
  #index: RuleIndex | undefined

  /** If two rules have the same pattern, the one that allows wins. */
  add(pattern: string, allow: boolean): void {
    this.#given.set(pattern, allow || this.#given.get(pattern) === true)
    this.#index = undefined
  }

  /** The longest rule that matches is the most specific and decides. */
  allows(path: string): boolean {
    this.#index ??= indexRules(this.#given)
    const plain = findBeginning(this.#index, path)
    const wild = this.#index.wild.find(({ matches }) => matches(path))
    if (!plain || !wild) return (plain ?? wild)?.allow ?? true
    if (plain.length === wild.length) return plain.allow || wild.allow
    return plain.length > wild.length ? plain.allow : wild.allow
  }
}

function indexRules(given: Map<string, boolean>): RuleIndex {
  const beginnings = new Map<string, boolean>()
  const wild: RuleIndex['wild'] = []
  let characters = 0
  for (const [pattern, allow] of given) {
    const [beginning] = /^[^*]*?(?=\*|\$?$)/.exec(pattern)!
    const isWild = beginning !== pattern
    if (!isWild) beginnings.set(pattern, allow)
    else if (characters + pattern.length <= MAX_WILD_CHARACTERS) {
      characters += pattern.length
      wild.push({ allow, length: pattern.length, matches: compilePattern(pattern) })
      // Over the limit, a disallow rule is shortened to its prefix and forbids more. Allow rules are dropped.
    } else if (!allow && !given.has(beginning)) beginnings.set(beginning, false)
  }
  wild.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  const lengths = new Set([...beginnings.keys()].map(({ length }) => length))
  return { beginnings, lengths: [...lengths].sort((a, b) => b - a), wild }
}

function findBeginning({ beginnings, lengths }: RuleIndex, path: string): Rule | undefined {
  for (const length of lengths) {
    const allow = length <= path.length ? beginnings.get(path.slice(0, length)) : undefined
    if (allow !== undefined) return { allow, length }
  }
  return undefined
}
