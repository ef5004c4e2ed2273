import { RobotsRules } from './robots-rules.ts'

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
