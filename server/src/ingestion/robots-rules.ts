import { compilePattern } from './path-pattern.ts'

// Each is compared with every path, so that many of them would keep the server busy.
const MAX_WILD_CHARACTERS = 32_768

interface Decision {
  allow: boolean
  length: number
}

/** What robots.txt says to one robot. However many rules there are, a path is decided on without going through them all. */
export class RobotsRules {
  readonly #given = new Map<string, boolean>()
  #index: { beginnings: Beginnings; wild: WildRule[] } | undefined

  /** Where two say the same of a path, the one that allows it counts. */
  add(pattern: string, allow: boolean): void {
    this.#given.set(pattern, allow || this.#given.get(pattern) === true)
    this.#index = undefined
  }

  /** The longest one that matches is the most specific, and decides. */
  allows(path: string): boolean {
    this.#index ??= indexRules(this.#given)
    const { beginnings, wild } = this.#index
    const plain = beginnings.find(path)
    const other = wild.find(({ matches }) => matches(path))
    if (!plain || !other) return (plain ?? other)?.allow ?? true
    if (plain.length === other.length) return plain.allow || other.allow
    return plain.length > other.length ? plain.allow : other.allow
  }
}

interface WildRule extends Decision {
  matches: (path: string) => boolean
}

function indexRules(given: Map<string, boolean>) {
  const beginnings = new Map<string, boolean>()
  const wild: WildRule[] = []
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
  return { beginnings: new Beginnings(beginnings), wild }
}

/** Beginnings of paths, found by their lengths, of which there are few. */
class Beginnings {
  readonly #rules: Map<string, boolean>
  readonly #lengths: number[]

  constructor(rules: Map<string, boolean>) {
    this.#rules = rules
    const lengths = new Set([...rules.keys()].map(({ length }) => length))
    this.#lengths = [...lengths].sort((a, b) => b - a)
  }

  /** The longest one that the path has. */
  find(path: string): Decision | undefined {
    for (const length of this.#lengths) {
      const allow = length <= path.length ? this.#rules.get(path.slice(0, length)) : undefined
      if (allow !== undefined) return { allow, length }
    }
    return undefined
  }
}
