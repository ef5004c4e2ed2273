// What a reader's program may take for a link: an address with a scheme, one that begins with www, a domain with a
// path, and a bare domain of the endings that such programs know. What stands after an @ is a mail address.
const SCHEME = '[a-z][a-z0-9+.-]{1,15}:\\/\\/'
// Not a folder of that name: “$PWD/data:/data”.
const OPAQUE =
  '(?<![\\w/])(?:javascript|vbscript|data(?!:/)|blob|file|mailto|tel|sms|intent|view-source):(?=[^\\s:])'
const LABELS = '(?<![\\w@.-])(?:[a-z0-9][a-z0-9-]{0,62}\\.)+'
const WITH_PATH = `${LABELS}[a-z][a-z0-9-]{1,62}(?::\\d+)?(?=[/?#])`
const BARE = `${LABELS}(?:com|org|net|edu|gov|info|biz|xyz|top|site|online|shop|club|test)(?![\\w-])`
const START = new RegExp(`${SCHEME}|${OPAQUE}|(?<![\\w@.-])www\\.|${WITH_PATH}|${BARE}`, 'i')

/** Where the first link in a text begins; -1 without one. */
export function findLinkStart(text: string): number {
  return START.exec(text)?.index ?? -1
}

// What may stand right after a link and is not part of it.
const AFTER = new Set('`"\'«»“”‘’)]}*_~.,;:!?|>')

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

/** Every link of a text, in all the ways in which one can be written. */
export function* listLinks(text: string): Generator<string> {
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

export const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,10}));/i

/** What an entity stands for, if that can be part of an address; otherwise undefined. */
export function decodeEntity(entity: string): string | undefined {
  const [, decimal, hex, name] = ENTITY.exec(entity) ?? []
  if (name) return ENTITIES[name]
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined
}

/** An address as a reader's program understands it: entities and escapes undone, what it skips left out. */
export function readDestination(given: string): string {
  return (
    given
      .replaceAll(new RegExp(ENTITY, 'gi'), (entity) => decodeEntity(entity) ?? entity)
      .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip these in addresses
      .replaceAll(/[\u0000-\u0020\u007f-\u00a0]/g, '')
  )
}
