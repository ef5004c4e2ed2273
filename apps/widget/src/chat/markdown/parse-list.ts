export interface List {
  ordered: boolean
  start: number
  items: ListItem[]
}

export interface ListItem {
  text: string
  /** The indented content: nested lists, paragraphs or code. */
  rest: string
}

const ITEM = /^( *)([-*+]|(\d{1,9})[.)])(?:\s+|$)/

/** Parses a list. The indented content of an item is Markdown again. */
export function parseList(source: string): List {
  const lines = source.replaceAll('\t', '    ').split('\n')
  const first = ITEM.exec(lines[0]!)!
  const items: { text: string; rest: string[]; indent: number }[] = []
  for (const line of lines) {
    const match = ITEM.exec(line)
    const current = items.at(-1)
    // Models write bullets under a numbered item without indenting them.
    const isPoint = first[3] !== undefined && match?.[3] === undefined
    if (match && (!current || (!isPoint && match[1]!.length < current.indent))) {
      items.push({
        text: line.slice(match[0].length),
        rest: [],
        indent: match[0].trimEnd().length + 1,
      })
    } else if (current) {
      const indent = Math.min(current.indent, line.length - line.trimStart().length)
      current.rest.push(line.slice(indent))
    }
  }
  return {
    ordered: first[3] !== undefined,
    start: Number(first[3] ?? 1),
    items: items.map(({ text, rest }) => joinLazyLines(text, rest)),
  }
}

/** A line that follows without a blank line and starts no new block belongs to the item's text. */
function joinLazyLines(text: string, rest: string[]): ListItem {
  let taken = 0
  while (
    taken < rest.length &&
    rest[taken]!.trim() !== '' &&
    !/^( *([-*+]|\d+[.)])\s|#|>|```|~~~)/.test(rest[taken]!)
  ) {
    taken += 1
  }
  const below = rest.slice(taken).join('\n')
  return {
    text: [text, ...rest.slice(0, taken)].join('\n'),
    rest: below.trim() === '' ? '' : below,
  }
}
