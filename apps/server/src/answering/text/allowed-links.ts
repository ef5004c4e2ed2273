import type { MarkedPassage } from '@docent/quote/cite-sources.ts'
import LINK_WORDS from './link-words.json' with { type: 'json' }

// A client may turn this text into a link: an address with a scheme, a name that begins with www, and a domain with a
// path or a known ending. Text after an @ is a mail address.
const SCHEME = '[a-z][a-z0-9+.-]{1,15}'
const SLASHES = ':\\/\\/'
const OPAQUE_SCHEME = `(?:${LINK_WORDS.opaqueSchemes.join('|')})`
// Excludes a folder of that name: “$PWD/data:/data”.
const OPAQUE = `(?<![\\w/])(?!data:/)${OPAQUE_SCHEME}:(?=[^\\s:])`
// An underscore inside a word belongs to the word. Otherwise it begins emphasis.
const LABELS = '(?<![a-z0-9@.-]|[a-z0-9]_{1,3})(?:[a-z0-9][a-z0-9-]{0,62}\\.)+'
const BEFORE_PATH = '[a-z][a-z0-9-]{1,62}(?::\\d+)?(?=[/?#])'
const KNOWN_ENDING = `(?:${LINK_WORDS.domainEndings.join('|')})(?![\\w-])`
const WWW = '(?<![a-z0-9])www\\.'
const START = new RegExp(`${OPAQUE}|${WWW}|${LABELS}(?:${BEFORE_PATH}|${KNOWN_ENDING})`, 'i')
// Matches backward. A forward match would try every letter of every word as the beginning of a scheme.
const AFTER_SCHEME = new RegExp(`(?<=(${SCHEME}))${SLASHES}`, 'i')
const WITHIN = new RegExp(
  `${SCHEME}${SLASHES}|www\\.|${LABELS}(?:${KNOWN_ENDING}|[a-z]{2}(?=[/?#]))`,
  'i',
)

/** Returns where the first link in a text begins, or -1. */
export function findLinkStart(text: string): number {
  const schemed = text.includes('://') ? AFTER_SCHEME.exec(text) : null
  const start = START.exec(text)?.index ?? -1
  if (!schemed) return start
  const scheme = schemed.index - schemed[1]!.length
  return start < 0 ? scheme : Math.min(scheme, start)
}

/** Whether a path or a query contains an address. Clients that end the first address earlier see a second one. */
function hasLinkWithin(path: string): boolean {
  return WITHIN.test(path)
}

// Characters that may follow a link and are not part of it.
const AFTER = new Set('`"\'«»“”‘’)]}*_~.,;:!?|>\\')

/** Returns the length of the link that begins a piece without whitespace, excluding characters that only follow it. */
export function linkLength(piece: string): number {
  let end = piece.length
  let unclosed = count(piece, '(') - count(piece, ')')
  while (end > 0 && AFTER.has(piece[end - 1]!)) {
    if (piece[end - 1] === ')') {
      if (unclosed >= 0) break
      unclosed += 1
    }
    end -= 1
  }
  return end
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

const CONTROLS = /\p{Cc}/gu

/** Lists every link of a text in all notations. */
export function* listLinks(given: string): Generator<string> {
  const text = given.replaceAll(CONTROLS, ' ')
  for (const [, dest] of text.matchAll(/\]\(\s*<?([^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)/g))
    yield dest!
  for (const [, dest] of text.matchAll(/\b(?:src|href)\s*=\s*["']?([^\s"'<>]+)/gi)) yield dest!
  for (const [piece] of text.matchAll(/[^\s<>]+/g)) {
    const start = findLinkStart(piece)
    if (start < 0) continue
    const link = piece.slice(start)
    yield link.slice(0, linkLength(link))
    // The text of a link may be an address, too.
    const [first = ''] = link.split(/\]\(|[`"|>]/)
    yield first.slice(0, linkLength(first))
  }
}

const ENTITIES = new Map(Object.entries(LINK_WORDS.entities))
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,10}));/i
const EVERY_ENTITY = new RegExp(ENTITY, 'gi')

/** Decodes an entity that can be part of an address. Otherwise returns undefined. */
function decodeEntity(entity: string): string | undefined {
  const [, decimal, hex, name] = ENTITY.exec(entity) ?? []
  if (name) return ENTITIES.get(name)
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** Decodes the entities whose characters match `kind`. */
export function decodeEntities(text: string, kind = /./su): string {
  return text.replaceAll(EVERY_ENTITY, (entity) => {
    const decoded = decodeEntity(entity)
    return decoded !== undefined && kind.test(decoded) ? decoded : entity
  })
}

// Some clients skip these characters, others encode or reinterpret them (a backslash as a slash). Joiners are excluded,
// because they belong to words of some languages.
const AMBIGUOUS = /[\s\p{Cc}\\<>]|(?![\u200c\u200d])\p{Cf}/u

/**
 * Decodes the entities and escapes of an address. Only the result may be written, because clients read the original in
 * different ways. Returns undefined if clients could still disagree about the result.
 */
function readDestination(given: string): string | undefined {
  const read = decodeEntities(given).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  return AMBIGUOUS.test(read) ? undefined : read
}

// The address after the text of a link or an image. The first blanks match atomically, which avoids backtracking before
// an empty address.
const UNBROKEN = String.raw`(?:[^\s()<>\\]|\\.)*`
const ADDRESS = String.raw`<[^<>\n]*>|${UNBROKEN}(?:\(${UNBROKEN}\)${UNBROKEN})*`
const TITLE = String.raw`"[^"]*"|'[^']*'|\([^()]*\)`
const DESTINATION = new RegExp(String.raw`^\]\((?=(\s*))\1(${ADDRESS})(?:\s+(?:${TITLE}))?\s*\)`)

/** Reads the address in brackets after the text of a link. `length` includes the brackets. */
export function readTarget(text: string): { to: string; length: number } | undefined {
  const [whole, , to] = DESTINATION.exec(text) ?? []
  if (whole === undefined || to === undefined) return undefined
  return { to: to.replace(/^<(.*)>$/, '$1'), length: whole.length }
}

export function isEscapedLink(text: string): boolean {
  return text.includes('\\') && findLinkStart(text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')) >= 0
}

const OPAQUE_AT_END = new RegExp(`${OPAQUE_SCHEME}:?$`, 'i')

/** Returns how many characters at the end of a piece may still become a link, or its syntax. */
export function uncertainTail(piece: string, run: string): number {
  const tails = [
    /(?<![a-z0-9])(?:h|ht|htt|https?|w{1,3})$/i.exec(run === '' ? piece : `${run.at(-1)}${piece}`),
    // Matches backward. A forward match would try every character as the beginning.
    /$(?<=([a-z][a-z0-9+.-]*:[\\/]{0,2}))/i.exec(piece)?.slice(1),
    /$(?<=((?:\.[a-z0-9-]+)+(?::\d*)?))/i.exec(run + piece)?.slice(1),
    OPAQUE_AT_END.exec(piece),
    /[!\]\\&]$/.exec(piece),
    /\\[:/.]\S*$/.exec(piece),
    /&[#\w]{0,10}$/.exec(piece),
  ]
  const longest = Math.max(0, ...tails.map((tail) => tail?.[0]?.length ?? 0))
  return Math.min(longest, piece.length)
}

export interface LinkSources {
  passages: readonly MarkedPassage[]
  /** The owner's instruction. */
  prompt: string
  /** Hosts that the operator allows: `museum.org`, `*.museum.org`. */
  allowLinks: readonly string[]
}

export interface AllowedLink {
  /** The address to write. It is the form that was checked. */
  address: string
  /** The markers of the passages with this link. Empty if the instruction or an allowed host permits it. */
  markers: readonly string[]
}

/**
 * The addresses that an answer may contain: exact addresses from its passages or the instruction, and addresses on
 * allowed hosts. One extra character could leak what the answer knows.
 */
export class AllowedLinks {
  readonly #sources: LinkSources
  // Computed for the first link, because most answers have none.
  #found: FoundLinks | undefined

  constructor(sources: LinkSources) {
    this.#sources = sources
  }

  get #links(): FoundLinks {
    this.#found ??= findLinks(this.#sources)
    return this.#found
  }

  /** Returns undefined if the address is not allowed. */
  find(destination: string): AllowedLink | undefined {
    // A scheme alone leads nowhere.
    if (/^(?:https?|wss?):\/\/$/i.test(destination)) return { address: destination, markers: [] }
    const address = readDestination(destination)
    const [key] = address === undefined ? [] : keysOf(address)
    if (address === undefined || key === undefined) return undefined
    const isInstructed = this.#links.instructed.has(key) || this.#isAllowedHost(address)
    const markers = isInstructed ? [] : this.#links.markers.get(key)
    return markers && { address, markers }
  }

  /** Accepts only an address that clients read to its exact end inside the brackets around it. */
  findTarget(destination: string): AllowedLink | undefined {
    const link = this.find(destination)
    return link && DESTINATION.exec(`](${link.address})`)?.[2] === link.address ? link : undefined
  }

  /** Clients load an image without a click, so an address from a document is not enough. */
  allowsImage(destination: string): boolean {
    return this.find(destination)?.markers.length === 0
  }

  /**
   * Accepts only a host name that every client reads to its end. A name that ends early could end in a foreign host.
   */
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
  /** The markers of the passages that contain each link. */
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

// Addresses of services, as in settings and code. Browsers open none of them.
const SERVICES = new Set(LINK_WORDS.serviceSchemes)

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

function keysAsRead(destination: string): string[] {
  const address = readDestination(destination)
  return address === undefined ? [] : keysOf(address)
}

/**
 * Returns one form for all spellings of an address. A web address also yields its host alone, which reveals nothing
 * more.
 */
function keysOf(given: string): string[] {
  if (/^(mailto|tel):/i.test(given)) return [given.replace(/^[^?]*/, (to) => to.toLowerCase())]
  const [, scheme = ''] = /^([a-z\d+]+):\/\//i.exec(given) ?? []
  if (SERVICES.has(scheme.toLowerCase())) return [given]
  const url = parse(given)
  if (url) {
    // Browsers resolve dot segments in a path, but some clients do not.
    if (DOT_SEGMENT.test(given)) return [given, url.host]
    const { host, pathname, search, hash } = url
    return [`${host}${pathname.replace(/\/$/, '')}${search}${hash}`, host]
  }
  // A path within the site that shows the answer. Excludes text that only looks like a path.
  return /^[/#?\w][^\\:]*$/.test(given) && !given.startsWith('//') ? [`:${given}`] : []
}

function parse(given: string): URL | undefined {
  const isWeb = /^https?:\/\//i.test(given)
  const isBare = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?::\d+)?(?:[/?#]|$)/i.test(given)
  if (!isWeb && !isBare && !given.startsWith('//')) return undefined
  const url = URL.parse(isWeb ? given : `https://${given.replace(/^\/\//, '')}`)
  // https://museum.org@elsewhere.test leads to elsewhere.test.
  return url && url.username === '' && url.password === '' ? url : undefined
}

// Characters that may follow a link directly, because clients leave them out of the link: punctuation at the end of a
// sentence, emphasis, and closing quotes and brackets. Their number is limited, so that they can carry hardly any data.
const EMPHASIS = String.raw`(?:\*{1,3}|_{1,3}|~{1,2})?`
const TAIL = new RegExp(
  String.raw`^(?:[\]}»«”“’‘]|[.,;:!?](?=$|[*_~"'\`)]))?${EMPHASIS}["'\`)]{0,2}${EMPHASIS}(?:[,;:!?]|\.{1,3})?$`,
)

/**
 * Separates a link from the text after it. Clients disagree about where an address in a text ends. Some would send the
 * following text to the host.
 */
export class LinkTail {
  /** The text after the last link so far. Undefined if nothing more can become part of the link. */
  #tail: string | undefined

  begin(): void {
    this.#tail = ''
  }

  /** Whether no text has followed the link yet. */
  get isEmpty(): boolean {
    return this.#tail === ''
  }

  end(): void {
    this.#tail = undefined
  }

  /** Returns where the text needs a space, or -1. */
  breakIn(text: string): number {
    for (let index = 0; this.#tail !== undefined && index < text.length; index += 1) {
      const next = text[index]!
      if (TAIL.test(this.#tail + next)) this.#tail += next
      else {
        this.#tail = undefined
        // Some clients do not accept other whitespace as a separator.
        return /[ \t\r\n]/.test(next) ? -1 : index
      }
    }
    return -1
  }
}
