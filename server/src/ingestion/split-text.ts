export interface Span {
  start: number
  end: number
}

const TARGET_LENGTH = 700
const MAX_LENGTH = 1000

/** Cuts a text into passages at paragraphs, and where one is too long, at sentences. Exact ranges are kept. */
export function splitText(text: string): Span[] {
  const passages: Span[] = []
  let open: Span | undefined
  for (const block of blocksOf(text)) {
    const startsSection = text.startsWith('#', block.start)
    if (open && (startsSection || block.end - open.start > TARGET_LENGTH)) {
      passages.push(open)
      open = undefined
    }
    open = open ? { start: open.start, end: block.end } : block
  }
  if (open) passages.push(open)
  return passages
}

function* blocksOf(text: string): Generator<Span> {
  let from = 0
  for (const gap of [...text.matchAll(/\n\s*\n/g), undefined]) {
    const block = trimmed(text, { start: from, end: gap?.index ?? text.length })
    from = gap ? gap.index + gap[0].length : text.length
    if (block.end - block.start > MAX_LENGTH) yield* piecesOf(text, block)
    else if (block.end > block.start) yield block
  }
}

/** A long paragraph at its sentences, and a sentence without end at its words. */
function* piecesOf(text: string, { start, end }: Span): Generator<Span> {
  let from = start
  while (end - from > MAX_LENGTH) {
    const window = text.slice(from, from + MAX_LENGTH)
    const cut =
      lastMatchEnd(window, /[.!?](?=\s)|[。！？]|\n/g) ?? lastMatchEnd(window, /\s/g) ?? MAX_LENGTH
    const piece = trimmed(text, { start: from, end: from + wholeCharacters(window, cut) })
    if (piece.end > piece.start) yield piece
    from += wholeCharacters(window, cut)
  }
  const rest = trimmed(text, { start: from, end })
  if (rest.end > rest.start) yield rest
}

function lastMatchEnd(window: string, pattern: RegExp): number | undefined {
  let end: number | undefined
  for (const match of window.matchAll(pattern)) {
    const candidate = match.index + match[0].length
    if (candidate > MAX_LENGTH / 4) end = candidate
  }
  return end
}

function wholeCharacters(window: string, cut: number): number {
  const last = window.charCodeAt(cut - 1)
  return last >= 0xd800 && last <= 0xdbff ? cut - 1 : cut
}

function trimmed(text: string, { start, end }: Span): Span {
  const piece = text.slice(start, end)
  return {
    start: start + (piece.length - piece.trimStart().length),
    end: end - (piece.length - piece.trimEnd().length),
  }
}
