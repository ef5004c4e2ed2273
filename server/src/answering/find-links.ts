// What a reader's program may take for a link: an address with a scheme, one that begins with www, a domain with a
// path, and a bare domain of the endings that such programs know. What stands after an @ is a mail address.
const SCHEME = '[a-z][a-z0-9+.-]{1,15}'
const SLASHES = ':\\/\\/'
// Not a folder of that name: “$PWD/data:/data”.
const OPAQUE =
  '(?<![\\w/])(?:javascript|vbscript|data(?!:/)|blob|file|mailto|tel|sms|intent|view-source):(?=[^\\s:])'
// An underscore belongs to a word that it stands in, and begins emphasis otherwise.
const LABELS = '(?<![a-z0-9@.-]|[a-z0-9]_{1,3})(?:[a-z0-9][a-z0-9-]{0,62}\\.)+'
const BEFORE_PATH = '[a-z][a-z0-9-]{1,62}(?::\\d+)?(?=[/?#])'
const ENDINGS = 'com|org|net|edu|gov|info|biz|xyz|top|site|online|shop|club|test'
const KNOWN_ENDING = `(?:${ENDINGS})(?![\\w-])`
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
export function hasLinkWithin(path: string): boolean {
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

const ENTITIES: Record<string, string> = {
  colon: ':',
  sol: '/',
  bsol: '\\',
  period: '.',
  commat: '@',
  quest: '?',
  equals: '=',
  num: '#',
  percnt: '%',
  lowbar: '_',
  hyphen: '-',
  amp: '&',
  Tab: '\t',
  NewLine: '\n',
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,10}));/i

const EVERY_ENTITY = new RegExp(ENTITY, 'gi')

/** What an entity stands for, if that can be part of an address; otherwise undefined. */
function decodeEntity(entity: string): string | undefined {
  const [, decimal, hex, name] = ENTITY.exec(entity) ?? []
  if (name) return ENTITIES[name]
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
export function readDestination(given: string): string | undefined {
  const read = decodeEntities(given).replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  return AMBIGUOUS.test(read) ? undefined : read
}
