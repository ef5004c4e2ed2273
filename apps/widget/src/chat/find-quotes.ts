export interface Piece {
  text: string
  isQuoted: boolean
}

const SHORTEST_QUOTE = 12

/** Splits a passage into pieces that the answer repeats word for word, and the rest. */
export function findQuotes(passage: string, answer: string): Piece[] {
  const ranges: [number, number][] = []
  const folded = fold(passage)
  for (const sentence of sentencesOf(answer)) {
    const at = folded.indexOf(sentence)
    if (at >= 0) ranges.push([at, at + sentence.length])
  }
  if (ranges.length === 0) return [{ text: passage, isQuoted: false }]
  ranges.sort(([a], [b]) => a - b)
  const pieces: Piece[] = []
  let at = 0
  for (const [start, end] of ranges) {
    if (end <= at) continue
    if (start > at) pieces.push({ text: passage.slice(at, start), isQuoted: false })
    pieces.push({ text: passage.slice(Math.max(start, at), end), isQuoted: true })
    at = end
  }
  if (at < passage.length) pieces.push({ text: passage.slice(at), isQuoted: false })
  return pieces
}

/** Replaces whitespace by spaces. Keeps the length, so that offsets stay valid. */
function fold(text: string): string {
  return text.replace(/\s/g, ' ')
}

function sentencesOf(answer: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
  const text = fold(answer.replace(/(?<!\s)\s*\[\d+\.\d+\]/g, '\n'))
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence.length >= SHORTEST_QUOTE)
}
