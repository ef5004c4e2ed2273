import type { MarkedPassage } from './cite-sources.ts'
import { hasLinkWithin, listLinks, readDestination } from './find-links.ts'

export interface LinkSources {
  passages: readonly MarkedPassage[]
  /** The owner's instruction. */
  prompt: string
  /** Hosts that the operator allows: `museum.org`, `*.museum.org`. */
  allowLinks: readonly string[]
}

export interface AllowedLink {
  /** What to write, which is what was judged. */
  address: string
  /** Of the passages that it stands in; none if others allow it. */
  markers: readonly string[]
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

  /** Undefined: it is not allowed. */
  find(destination: string): AllowedLink | undefined {
    // Where there is nothing but a scheme, nothing is led to.
    if (/^(?:https?|wss?):\/\/$/i.test(destination)) return { address: destination, markers: [] }
    const address = readDestination(destination)
    const [key] = address === undefined ? [] : keysOf(address)
    if (address === undefined || key === undefined) return undefined
    const isInstructed = this.#links.instructed.has(key) || this.#isAllowedHost(address)
    const markers = isInstructed ? [] : this.#links.markers.get(key)
    return markers && { address, markers }
  }

  /** A picture is fetched without a click, so what a document says is not enough. */
  allowsImage(destination: string): boolean {
    return this.find(destination)?.markers.length === 0
  }

  /** A name that every program reads to its end: what ends early could end in a foreign host. */
  #isAllowedHost(address: string): boolean {
    const [, given, rest = ''] = WEB_ADDRESS.exec(address) ?? []
    const host = parse(address)?.hostname
    if (host === undefined || host !== given?.toLowerCase() || hasLinkWithin(rest)) return false
    return this.#links.hosts.some((allowed) => {
      if (!allowed.startsWith('*.')) return host === allowed
      const [before, after] = [host.slice(0, 1 - allowed.length), host.slice(1 - allowed.length)]
      return after === allowed.slice(1) && !UNUSUAL_NAME.test(before)
    })
  }
}

const WEB_ADDRESS = /^(?:https?:)?(?:\/\/)?([\w.-]+)(?::\d{1,5})?([/?#].*)?$/i
const UNUSUAL_NAME = /[^a-z0-9.-]|^$|^[.-]|\.[.-]|-\.|[.-]$/

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
      for (const key of keysAsRead(link)) {
        markers.set(key, [...(markers.get(key) ?? []), passage.marker])
      }
    }
  }
  const instructed = new Set([...listLinks(prompt)].flatMap(keysAsRead))
  return { markers, instructed, hosts: allowLinks.map((host) => host.toLowerCase()) }
}

// Addresses of services, which settings and programs have; a browser opens none of them.
const SERVICE =
  /^(?:s?ftp|socks[45]h?|ssh|git|wss?|tcp|udp|unix|grpc|rediss?|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|sqlite|amqps?|mqtts?|kafka|nats|ldaps?|smtps?|s3|gs|oci):\/\//i

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

function keysAsRead(destination: string): string[] {
  const address = readDestination(destination)
  return address === undefined ? [] : keysOf(address)
}

/** One form for all spellings of an address; of a web address also the host alone, which says nothing more. */
function keysOf(given: string): string[] {
  if (/^(mailto|tel):/i.test(given)) return [given.replace(/^[^?]*/, (to) => to.toLowerCase())]
  if (SERVICE.test(given)) return [given]
  const url = parse(given)
  if (url) {
    // Browsers leave out the steps back in a path, and what was stepped over; not everybody does.
    if (DOT_SEGMENT.test(given)) return [given, url.host]
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
