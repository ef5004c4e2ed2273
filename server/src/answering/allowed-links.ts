import type { MarkedPassage } from './cite-sources.ts'
import { listLinks, readDestination } from './find-links.ts'

export interface LinkSources {
  passages: readonly MarkedPassage[]
  /** The owner's instruction. */
  prompt: string
  /** Hosts that the operator allows: `museum.org`, `*.museum.org`. */
  allowLinks: readonly string[]
}

/**
 * The addresses that an answer may hold: those that stand, exactly so, in its passages or in the instruction, and those
 * on allowed hosts. One character more could carry away what the answer knows.
 */
export class AllowedLinks {
  readonly #sources: LinkSources
  // Looked for with the first link: most answers have none.
  #found: FoundLinks | undefined

  constructor(sources: LinkSources) {
    this.#sources = sources
  }

  get #links(): FoundLinks {
    this.#found ??= findLinks(this.#sources)
    return this.#found
  }

  /** The markers of the passages that it stands in, none if others allow it. Undefined: it is not allowed. */
  find(destination: string): readonly string[] | undefined {
    // Where there is nothing but a scheme, nothing is led to.
    if (/^(?:https?|wss?):\/\/$/i.test(destination)) return []
    const [key] = keysOf(destination)
    if (key === undefined) return undefined
    if (this.allowsImage(destination)) return []
    return this.#links.markers.get(key)
  }

  /** A picture is fetched without a click, so what a document says is not enough. */
  allowsImage(destination: string): boolean {
    const [key] = keysOf(destination)
    return (
      key !== undefined && (this.#links.instructed.has(key) || this.#isAllowedHost(destination))
    )
  }

  #isAllowedHost(destination: string): boolean {
    const host = parse(readDestination(destination))?.hostname
    if (host === undefined) return false
    return this.#links.hosts.some((allowed) =>
      allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed,
    )
  }
}

interface FoundLinks {
  /** Of the passages that hold a link. */
  markers: Map<string, string[]>
  instructed: Set<string>
  hosts: string[]
}

function findLinks({ passages, prompt, allowLinks }: LinkSources): FoundLinks {
  const markers = new Map<string, string[]>()
  for (const passage of passages) {
    const meta = JSON.parse(passage.meta)
    const own = [passage.page_url, meta.final_url, meta.url, meta.reference_source_link]
    for (const link of [...listLinks(passage.text), ...own]) {
      if (typeof link !== 'string' || link === '') continue
      for (const key of keysOf(link)) {
        markers.set(key, [...(markers.get(key) ?? []), passage.marker])
      }
    }
  }
  const instructed = new Set([...listLinks(prompt)].flatMap(keysOf))
  return { markers, instructed, hosts: allowLinks.map((host) => host.toLowerCase()) }
}

// Addresses of services, which settings and programs have; a browser opens none of them.
const SERVICE =
  /^(?:s?ftp|socks[45]h?|ssh|git|wss?|tcp|udp|unix|grpc|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|sqlite|amqps?|mqtts?|kafka|nats|ldaps?|smtps?|s3|gs|oci):\/\//i

/** One form for all spellings of an address; of a web address also the host alone, which says nothing more. */
function keysOf(destination: string): string[] {
  const given = readDestination(destination)
  if (/^(mailto|tel):/i.test(given)) return [given.toLowerCase()]
  if (SERVICE.test(given)) return [given]
  const url = parse(given)
  if (url) {
    const { host, pathname, search, hash } = url
    return [`${host}${pathname.replace(/\/$/, '')}${search}${hash}`, host]
  }
  // Within the site that shows the answer; never what only looks like that.
  return /^[/#?\w][^\\:]*$/.test(given) && !given.startsWith('//') ? [`:${given}`] : []
}

function parse(given: string): URL | undefined {
  const isWeb = /^https?:\/\//i.test(given)
  const isBare = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?(?:[/?#]|$)/i.test(given)
  if (!isWeb && !isBare && !given.startsWith('//')) return undefined
  const url = URL.parse(isWeb ? given : `https://${given.replace(/^\/\//, '')}`)
  // https://museum.org@elsewhere.test leads elsewhere.
  return url && url.username === '' && url.password === '' ? url : undefined
}
