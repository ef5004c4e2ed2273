export interface Span {
  start: number
  end: number
}

const TARGET_LENGTH = 650
const MAX_LENGTH = 1300

/** Cuts a text into passages at paragraphs, and where one is too long, at sentences. Exact ranges are kept. */
export function splitText(text: string): Span[] {
  const passages: Span[] = []
  let open: Span | undefined
  for (const block of blocksOf(text)) {
    const startsSection = text.startsWith('#', block.start) && !isHeadings(text, open)
    if (open && (startsSection || block.end - open.start > TARGET_LENGTH)) {
      passages.push(open)
      open = undefined
    }
    open = open ? { start: open.start, end: block.end } : block
  }
  if (open) passages.push(open)
  return passages
}

/** A heading by itself says nothing: it goes with what comes under it. */
function isHeadings(text: string, open: Span | undefined): boolean {
  if (!open) return false
  const lines = text.slice(open.start, open.end).split('\n')
  return lines.every((line) => line.trim() === '' || /^#{1,6}\s/.test(line))
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

/** A long paragraph in pieces of about the same length, cut at sentences, or at words where no sentence ends. */
function* piecesOf(text: string, { start, end }: Span): Generator<Span> {
  let from = start
  while (end - from > MAX_LENGTH) {
    const left = end - from
    const wanted = left / Math.ceil(left / MAX_LENGTH)
    const window = text.slice(from, from + MAX_LENGTH)
    const cut =
      nearestEnd(window, wanted, /[.!?](?=\s)|[。！？]|\n/g) ??
      nearestEnd(window, wanted, /\s/g) ??
      MAX_LENGTH
    const piece = trimmed(text, { start: from, end: from + wholeCharacters(window, cut) })
    if (piece.end > piece.start) yield piece
    from += wholeCharacters(window, cut)
  }
  const rest = trimmed(text, { start: from, end })
  if (rest.end > rest.start) yield rest
}

/** The end of the match that is nearest to the wanted length; undefined when all are far off. */
function nearestEnd(window: string, wanted: number, pattern: RegExp): number | undefined {
  const ends = Array.from(window.matchAll(pattern), (match) => match.index + match[0].length)
  const near = ends.filter((end) => end > MAX_LENGTH / 4)
  if (near.length === 0) return undefined
  return near.reduce((best, end) => (Math.abs(end - wanted) < Math.abs(best - wanted) ? end : best))
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
