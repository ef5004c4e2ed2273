import { matchesPath } from './path-pattern.ts'

interface Rule {
  allow: boolean
  /** The longest one that matches is the most specific, and decides. */
  pattern: string
}

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
  const groups = new Map<string, Rule[]>()
  const sitemaps: string[] = []
  let agents: string[] = []
  let inRules = false
  for (const line of text.slice(0, 512_000).split(/\r\n?|\n/)) {
    const [, field, value] = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line) ?? []
    const given = value?.trim() ?? ''
    switch (field?.toLowerCase()) {
      case 'user-agent':
        if (inRules) agents = []
        inRules = false
        agents.push(given.toLowerCase())
        if (!groups.has(given.toLowerCase())) groups.set(given.toLowerCase(), [])
        break
      case 'allow':
      case 'disallow':
        inRules = true
        if (given === '') break
        for (const agent of agents)
          groups.get(agent)!.push({ allow: field!.toLowerCase() === 'allow', pattern: given })
        break
      case 'sitemap':
        sitemaps.push(given)
        break
    }
  }
  const rules = groups.get(OUR_NAME) ?? groups.get('*') ?? []
  return { sitemaps, allows: (path) => decide(rules, path) }
}

function decide(rules: Rule[], path: string): boolean {
  let decisive: Rule | undefined
  for (const rule of rules) {
    if (!matchesPath(rule.pattern, path)) continue
    const moreSpecific = !decisive || rule.pattern.length > decisive.pattern.length
    if (moreSpecific || (rule.pattern.length === decisive?.pattern.length && rule.allow))
      decisive = rule
  }
  return decisive?.allow ?? true
}
