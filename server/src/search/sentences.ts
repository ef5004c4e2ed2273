/** A stretch of a text: a sentence, a row of a table, an item of a list, or a heading. */
export interface Sentence {
  start: number
  end: number
  isHeading: boolean
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

// A line that begins like this stands by itself. Other line breaks are those of a paragraph that was set in a column.
const BLOCK_BREAK = /\n\s*\n|\n(?=\s*(?:[|#>•*+–-]|\d+[.)]\s|\p{Lu}[^\n]{0,60}:\s))/gu
// A full stop after these ends no sentence.
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{L}|Mr|Mrs|Ms|Dr|Prof|St|Sr|Jr|Gen|Col|Lt|Capt|Rev|Hon|No|Nos|Vol|Fig|vs|etc|e\.g|i\.e|cf|ca|approx|al|Inc|Ltd|Co|Corp|dept|est|U\.S|U\.K)\.$/iu

/** The sentences of a text in order; between them there is nothing but blanks. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const block of blocksOf(text)) {
    if (/^\s*#{1,6}\s/.test(text.slice(block.start, block.end))) {
      add(sentences, text, block.start, block.end, true)
      continue
    }
    let from = block.start
    for (const { segment, index } of segmenter.segment(text.slice(block.start, block.end))) {
      if (ABBREVIATION.test(text.slice(from, block.start + index + segment.length).trimEnd()))
        continue
      add(sentences, text, from, block.start + index + segment.length, false)
      from = block.start + index + segment.length
    }
    add(sentences, text, from, block.end, false)
  }
  return sentences
}

/** The sentences of a passage that was joined from several: as they were when each stood alone. */
export function sentencesOfParts(text: string, partStarts: number[]): Sentence[] {
  return partStarts.flatMap((from, i) => {
    const part = text.slice(from, partStarts[i + 1])
    return sentencesOf(part).map((one) => ({
      ...one,
      start: from + one.start,
      end: from + one.end,
    }))
  })
}

function* blocksOf(text: string): Generator<{ start: number; end: number }> {
  let start = 0
  for (const { index } of text.matchAll(BLOCK_BREAK)) {
    yield { start, end: index }
    start = index
  }
  yield { start, end: text.length }
}

function add(
  sentences: Sentence[],
  text: string,
  from: number,
  to: number,
  isHeading: boolean,
): void {
  const piece = text.slice(from, to)
  const start = from + piece.length - piece.trimStart().length
  const end = to - (piece.length - piece.trimEnd().length)
  if (end > start) sentences.push({ start, end, isHeading })
}
