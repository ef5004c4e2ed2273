import { compilePattern } from './path-pattern.ts'

/** What a site's robots.txt asks of us. */
export interface Robots {
  allows(path: string): boolean
  sitemaps: string[]
}

/** What a page asks of robots, in its headers. */
export interface RobotsTag {
  /** It is not to be found. */
  noindex: boolean
  /** Its links are no way to other pages. */
  nofollow: boolean
}

const OUR_NAME = 'docent'
const EVERYBODY = '*'
// As much as the standard asks to be read.
const MAX_CHARACTERS = 512_000
// Each is compared with every path, so that many of them would keep the server busy.
const MAX_WILD_CHARACTERS = 32_768
// Directives that have a value, which looks like the name of a robot.
const WITH_VALUE = /^(unavailable_after|max-(snippet|image-preview|video-preview))$/i

/** The values of all X-Robots-Tag headers. What follows the name of another robot is not for us. */
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

/** The groups that name us, or else those for everybody. Groups of the same name count together (RFC 9309). */
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
  /** Rules without a wildcard, which is most: found by their lengths, of which there are few. */
  beginnings: Map<string, boolean>
  /** The longest first. */
  lengths: number[]
  wild: (Rule & { matches: (path: string) => boolean })[]
}

/** What robots.txt says to one robot. However many rules there are, a path is decided on without going through them all. */
class RobotsRules {
  readonly #given = new Map<string, boolean>()
  #index: RuleIndex | undefined

  /** Where two say the same of a path, the one that allows it counts. */
  add(pattern: string, allow: boolean): void {
    this.#given.set(pattern, allow || this.#given.get(pattern) === true)
    this.#index = undefined
  }

  /** The longest one that matches is the most specific, and decides. */
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
      // Of what is too much, what is forbidden is taken to be forbidden more widely than it is.
    } else if (!allow && !given.has(beginning)) beginnings.set(beginning, false)
  }
  wild.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  const lengths = new Set([...beginnings.keys()].map(({ length }) => length))
  return { beginnings, lengths: [...lengths].sort((a, b) => b - a), wild }
}

/** The longest rule that the path begins with. */
function findBeginning({ beginnings, lengths }: RuleIndex, path: string): Rule | undefined {
  for (const length of lengths) {
    const allow = length <= path.length ? beginnings.get(path.slice(0, length)) : undefined
    if (allow !== undefined) return { allow, length }
  }
  return undefined
}
