import type { MarkedPassage } from '@docent/quote/cite-sources.ts'
import LINK_WORDS from './link-words.json' with { type: 'json' }

// What a reader's program may take for a link: an address with a scheme, one that begins with www, a domain with a
// path, and a bare domain of the endings that such programs know. What stands after an @ is a mail address.
const SCHEME = '[a-z][a-z0-9+.-]{1,15}'
const SLASHES = ':\\/\\/'
const OPAQUE_SCHEME = `(?:${LINK_WORDS.opaqueSchemes.join('|')})`
// Not a folder of that name: “$PWD/data:/data”.
const OPAQUE = `(?<![\\w/])(?!data:/)${OPAQUE_SCHEME}:(?=[^\\s:])`
// An underscore belongs to a word that it stands in, and begins emphasis otherwise.
const LABELS = '(?<![a-z0-9@.-]|[a-z0-9]_{1,3})(?:[a-z0-9][a-z0-9-]{0,62}\\.)+'
const BEFORE_PATH = '[a-z][a-z0-9-]{1,62}(?::\\d+)?(?=[/?#])'
const KNOWN_ENDING = `(?:${LINK_WORDS.domainEndings.join('|')})(?![\\w-])`
const WWW = '(?<![a-z0-9])www\\.'
const START = new RegExp(`${OPAQUE}|${WWW}|${LABELS}(?:${BEFORE_PATH}|${KNOWN_ENDING})`, 'i')
// Looked for from its end: from its beginning, every letter would be tried as the first of a scheme, in every word.
const AFTER_SCHEME = new RegExp(`(?<=(${SCHEME}))${SLASHES}`, 'i')
const WITHIN = new RegExp(
  `${SCHEME}${SLASHES}|www\\.|${LABELS}(?:${KNOWN_ENDING}|[a-z]{2}(?=[/?#]))`,
  'i',
)

/** Where the first link in a text begins; -1 without one. */
export function findLinkStart(text: string): number {
  const schemed = text.includes('://') ? AFTER_SCHEME.exec(text) : null
  const start = START.exec(text)?.index ?? -1
  if (!schemed) return start
  const scheme = schemed.index - schemed[1]!.length
  return start < 0 ? scheme : Math.min(scheme, start)
}

/** Whether a path or a query has an address in it, which is one of its own for whoever ends the first one earlier. */
function hasLinkWithin(path: string): boolean {
  return WITHIN.test(path)
}

// What may stand right after a link and is not part of it.
const AFTER = new Set('`"\'«»“”‘’)]}*_~.,;:!?|>\\')

/** The length of a link that begins a piece of text without white space, less what only follows it. */
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

/** Every link of a text, in all the ways in which one can be written. */
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

/** What an entity stands for, if that can be part of an address; otherwise undefined. */
function decodeEntity(entity: string): string | undefined {
  const [, decimal, hex, name] = ENTITY.exec(entity) ?? []
  if (name) return ENTITIES.get(name)
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** The text with its entities undone: those that stand for something of that kind. */
export function decodeEntities(text: string, kind = /./su): string {
  return text.replaceAll(EVERY_ENTITY, (entity) => {
    const decoded = decodeEntity(entity)
    return decoded !== undefined && kind.test(decoded) ? decoded : entity
  })
}

// Some programs skip these, some encode them, some take them for something else (a backslash for a slash). Joiners
// belong to words of some languages.
const AMBIGUOUS = /[\s\p{Cc}\\<>]|(?![\u200c\u200d])\p{Cf}/u

/**
 * An address with its entities and escapes undone, which is what may be written: how it was given, programs read in
 * different ways. Undefined where even so not all of them would read the same.
 */
function readDestination(given: string): string | undefined {
  const read = decodeEntities(given).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  return AMBIGUOUS.test(read) ? undefined : read
}

// The address of a link or of a picture, behind its text. Its first blanks are taken for good: which of them come before
// an empty address is not worth trying out.
const UNBROKEN = String.raw`(?:[^\s()<>\\]|\\.)*`
const ADDRESS = String.raw`<[^<>\n]*>|${UNBROKEN}(?:\(${UNBROKEN}\)${UNBROKEN})*`
const TITLE = String.raw`"[^"]*"|'[^']*'|\([^()]*\)`
const DESTINATION = new RegExp(String.raw`^\]\((?=(\s*))\1(${ADDRESS})(?:\s+(?:${TITLE}))?\s*\)`)

/** The address that is in brackets behind the text of a link, and how long it is with them. */
export function readTarget(text: string): { to: string; length: number } | undefined {
  const [whole, , to] = DESTINATION.exec(text) ?? []
  if (whole === undefined || to === undefined) return undefined
  return { to: to.replace(/^<(.*)>$/, '$1'), length: whole.length }
}

export function isEscapedLink(text: string): boolean {
  return text.includes('\\') && findLinkStart(text.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')) >= 0
}

const OPAQUE_AT_END = new RegExp(`${OPAQUE_SCHEME}:?$`, 'i')

/** How much at the end of a piece may turn out to be the beginning of a link, or of its syntax. */
export function uncertainTail(piece: string, run: string): number {
  const tails = [
    /(?<![a-z0-9])(?:h|ht|htt|https?|w{1,3})$/i.exec(run === '' ? piece : `${run.at(-1)}${piece}`),
    // Read backwards from the end: forwards, every character would be tried as the beginning.
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

  /** One that programs read to its end, and no further, in the brackets that are put around it. */
  findTarget(destination: string): AllowedLink | undefined {
    const link = this.find(destination)
    return link && DESTINATION.exec(`](${link.address})`)?.[2] === link.address ? link : undefined
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
const SERVICES = new Set(LINK_WORDS.serviceSchemes)

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

function keysAsRead(destination: string): string[] {
  const address = readDestination(destination)
  return address === undefined ? [] : keysOf(address)
}

/** One form for all spellings of an address; of a web address also the host alone, which says nothing more. */
function keysOf(given: string): string[] {
  if (/^(mailto|tel):/i.test(given)) return [given.replace(/^[^?]*/, (to) => to.toLowerCase())]
  const [, scheme = ''] = /^([a-z\d+]+):\/\//i.exec(given) ?? []
  if (SERVICES.has(scheme.toLowerCase())) return [given]
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

// What may stand right behind a link, since whoever makes links of addresses leaves it out of them: a sign that ends a
// sentence, emphasis, quotes and brackets that close. Only so much of it that hardly anything can be said by it.
const EMPHASIS = String.raw`(?:\*{1,3}|_{1,3}|~{1,2})?`
const TAIL = new RegExp(
  String.raw`^(?:[\]}»«”“’‘]|[.,;:!?](?=$|[*_~"'\`)]))?${EMPHASIS}["'\`)]{0,2}${EMPHASIS}(?:[,;:!?]|\.{1,3})?$`,
)

/**
 * Keeps what follows a link apart from it. Programs disagree about where an address ends that stands in a text, so that
 * anything more would be part of it for some of them, and be sent to its host.
 */
export class LinkTail {
  /** What has followed the last link so far. Undefined: nothing more can become part of it. */
  #tail: string | undefined

  begin(): void {
    this.#tail = ''
  }

  /** Nothing has come between the link and what follows. */
  get isEmpty(): boolean {
    return this.#tail === ''
  }

  end(): void {
    this.#tail = undefined
  }

  /** Where the text would go on for too long without a space; -1 if it does not. */
  breakIn(text: string): number {
    for (let index = 0; this.#tail !== undefined && index < text.length; index += 1) {
      const next = text[index]!
      if (TAIL.test(this.#tail + next)) this.#tail += next
      else {
        this.#tail = undefined
        // Not every program takes the other blanks for one.
        return /[ \t\r\n]/.test(next) ? -1 : index
      }
    }
    return -1
  }
}
