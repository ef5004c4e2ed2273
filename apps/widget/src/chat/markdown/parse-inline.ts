export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'strong' | 'emphasis' | 'strike'; children: Inline[] }
  | { type: 'link'; href: string; children: Inline[] }
  | { type: 'citation'; marker: string }

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/** Returns the absolute URL if it is safe to follow: no scripts, and no relative URLs of this server. */
export function safeHref(given: string): string | undefined {
  const url = URL.parse(given)
  return url && SAFE_PROTOCOLS.has(url.protocol) ? url.href : undefined
}

// Tried in this order at each position. Every span is bounded, so that no text is slow to parse.
const PATTERNS: [RegExp, (match: RegExpExecArray, isOpen: boolean) => Inline | undefined][] = [
  [/\\([!-/:-@[-`{-~])/y, ([, text]) => ({ type: 'text', text: text! })],
  [
    /(?<!`)(`{1,3})(?!`)(.{1,2000}?)(?<!`)\1(?!`)/sy,
    ([, , text]) => ({ type: 'code', text: text!.trim() }),
  ],
  [/\[(\d{1,3}\.\d{1,3})\]/y, ([, marker]) => ({ type: 'citation', marker: marker! })],
  [
    /!?\[((?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,500})\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\s*\)/y,
    link,
  ],
  [/<((?:https?:\/\/|mailto:)[^\s<>]+)>/y, ([, href]) => autolink(href!)],
  [/https?:\/\/[^\s<>"'`|\]]+/y, ([href]) => autolink(href)],
  [/\*\*(?=\S)(.{1,2000}?)(?<=\S)\*\*/sy, ([, inner], isOpen) => nested('strong', inner!, isOpen)],
  [
    /__(?=\S)(.{1,2000}?)(?<=\S)__(?!\w)/sy,
    ([, inner], isOpen) => nested('strong', inner!, isOpen),
  ],
  [/~~(?=\S)(.{1,2000}?)(?<=\S)~~/sy, ([, inner], isOpen) => nested('strike', inner!, isOpen)],
  [
    /\*(?![\s*])((?:[^*]|\*\*[^*]{1,500}\*\*){1,1000}?)(?<=\S)\*(?!\*)/sy,
    ([, inner], isOpen) => nested('emphasis', inner!, isOpen),
  ],
  [
    /(?<!\w)_(?![\s_])([^_]{1,1000})(?<=\S)_(?!\w)/sy,
    ([, inner], isOpen) => nested('emphasis', inner!, isOpen),
  ],
]

/** Unclosed marks at the end of a growing text count as closed, so that nothing flickers when they are closed. */
const UNFINISHED: [RegExp, (match: RegExpExecArray) => Inline | undefined][] = [
  [/\[\d{0,3}(?:\.\d{0,3})?$/y, () => ({ type: 'text', text: '' })],
  [/!?\[([^[\]]{0,500})\]\([^\s()]{0,2000}$/y, ([, text]) => ({ type: 'text', text: text! })],
  [/\*\*(\S[^*]{0,2000})\*?$/sy, ([, inner]) => nested('strong', inner!, true)],
  [/`([^`]{1,2000})$/sy, ([, text]) => ({ type: 'code', text: text! })],
  [/(\*\*|`|\*)$/y, () => ({ type: 'text', text: '' })],
]

/** Parses inline Markdown. `isOpen` means that the text is still streaming. */
export function parseInline(text: string, isOpen = false): Inline[] {
  const found: Inline[] = []
  let plain = ''
  const flush = () => {
    if (plain !== '') found.push({ type: 'text', text: plain })
    plain = ''
  }
  let at = 0
  while (at < text.length) {
    const match = matchAt(text, at, isOpen)
    if (!match) {
      plain += text[at]
      at += 1
      continue
    }
    if (match.node.type === 'text') plain += match.node.text
    else {
      flush()
      found.push(match.node)
    }
    at += match.length
  }
  flush()
  return found
}

const SPECIAL = /[\\`[!<h*_~]/

function matchAt(text: string, at: number, isOpen: boolean) {
  if (!SPECIAL.test(text[at]!)) return undefined
  for (const [pattern, make] of isOpen ? [...PATTERNS, ...UNFINISHED] : PATTERNS) {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    const node = match && make(match, isOpen)
    if (node) return { node, length: match[0].length - trailing(node, match[0]) }
  }
  return undefined
}

/** Punctuation at the end of a sentence does not belong to a bare URL. */
function trailing(node: Inline, source: string): number {
  if (node.type !== 'link' || !/^https?:/.test(source)) return 0
  return source.length - withoutPunctuation(source).length
}

// Must match the server, which allows only these characters right after a URL.
const AFTER_ADDRESS = new Set('.,;:!?*_~)}«»“”‘’')

function withoutPunctuation(address: string): string {
  let end = address.length
  let unclosed = address.split('(').length - address.split(')').length
  while (AFTER_ADDRESS.has(address[end - 1]!)) {
    if (address[end - 1] === ')') {
      if (unclosed >= 0) break
      unclosed += 1
    }
    end -= 1
  }
  return address.slice(0, end)
}

function nested(type: 'strong' | 'emphasis' | 'strike', inner: string, isOpen: boolean): Inline {
  return { type, children: parseInline(inner, isOpen) }
}

/** Unsafe links become plain text. Images become links, so that no external content loads. */
function link([, text, address]: RegExpExecArray): Inline {
  const href = safeHref(address!)
  const children = parseInline(text || address!)
  if (href) return { type: 'link', href, children }
  return { type: 'text', text: text || address! }
}

function autolink(address: string): Inline | undefined {
  const shown = withoutPunctuation(address)
  const href = safeHref(shown)
  return href ? { type: 'link', href, children: [{ type: 'text', text: shown }] } : undefined
}
