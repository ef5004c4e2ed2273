import { codeBlocksOf } from './code-blocks.ts'
import WORDS from './sentence-words.json' with { type: 'json' }

/** A unit of text: a sentence, a table row, a list item, a heading, or code with the sentence that introduces it. */
export interface Sentence {
  start: number
  end: number
  isHeading: boolean
}

/** Spaces in an abbreviation are optional and may be any whitespace. */
function asPattern(word: string): string {
  return word.replaceAll('.', '\\.').replaceAll(' ', '\\s?')
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

// Lines with these beginnings start a new block. Other line breaks come from wrapped paragraphs.
const BLOCK_BREAK =
  /\n\s*\n|\n(?=\s*(?:[|#>•*+–-]|\d+[.)]\s|\p{Lu}[^\n]{0,60}:\s|[^\n|]{1,200} \| ))/gu
const ROW = /^\s*[^\n|#]{1,200} \| [^\n]*/
// A period after these does not end a sentence.
const ABBREVIATION = new RegExp(
  `(?:^|[\\s(])(?:\\p{L}|${WORDS.abbreviations.map(asPattern).join('|')})\\.$`,
  'iu',
)
// German ordinal numbers: “am 12. April”, “im 3. Stock”.
const ORDINAL =
  /(?:(?:^|\s)(?:am|vom|zum|beim|im|ab|bis|seit|dem|den|der|des|die|das|jeden|jeder|jedes|und|oder) |[–-]\s?)\d{1,2}\.$/i
const MONTH = /^\s*(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[\p{L}.]*/u
// These end a sentence if the next words open one: “sold to Acme Inc. In 1990 …”.
const MAY_END = /\b(?:no|etc|al|Inc|Ltd|Co|Corp|min|max|ext|incl|U\.S|U\.K)\.$/i
const OPENING = new RegExp(`^\\s*(?:${WORDS.openings.join('|')})\\s`, 'i')
// A list number does not end a sentence.
const ITEM_NUMBER = /^\s*\d{1,3}\.$/
// “… in 1990.[3][citation needed] It …”: footnote marks belong to the sentence before them.
const NOTES =
  /(?<=[.!?]["'”’)]?)(?:\[\^?(?:\d{1,3}|\p{Ll}|(?:note|nb) \d{1,3}|[\p{L}\s]{1,20} needed)\]|[⁰¹²³⁴-⁹]{1,3}){1,9}(?=\s)/giu
// The segmenter ends a sentence at every line break. A lowercase letter after the break continues the sentence.
const SOFT_BREAK = /[\r\n](?=\s{0,100}\p{Ll})/gu

// “**Hinweis!** Der Pavillon …”: closing emphasis belongs to the sentence before it, like closing quotation marks.
const CLOSING_MARKS = /(?<=[.!?…。！？]["'”’)]{0,2})[*_]{1,3}(?=[\s,;:)"'”’]|$)/g
// “![plan](plan.png)” is an image, not an exclamation. Treat its first character as a letter.
const IMAGE_MARK = /!(?=\[)/g

// The width of hard-wrapped text in characters.
const FEWEST_WRAPPED = 55
const MOST_WRAPPED = 110

// Longer code is split into lines, like prose.
const LONGEST_CODE = 1300

/** Splits a text into sentences, in order. Only whitespace is between them. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  for (const { start, end } of codeBlocksOf(text)) {
    if (end - start > LONGEST_CODE) continue
    addProse(sentences, text, from, start)
    const before = sentences.at(-1)
    if (before && leadsTo(text, before, start)) before.end = end
    else add(sentences, text, start, end, false)
    from = end
  }
  addProse(sentences, text, from, text.length)
  return sentences
}

/** “Install it with npm:” is useless without what follows. */
function leadsTo(text: string, { end, isHeading }: Sentence, next: number): boolean {
  return (
    !isHeading && /[:：]$/.test(text.slice(end - 1, end)) && text.slice(end, next).trim() === ''
  )
}

function addProse(sentences: Sentence[], text: string, begin: number, finish: number): void {
  for (const block of blocksOf(text.slice(begin, finish))) {
    const end = begin + block.end
    let from = begin + block.start
    const [heading] = /^\s*#{1,6}\s[^\n]*/.exec(text.slice(from, end)) ?? []
    if (heading !== undefined) {
      from += heading.length
      add(sentences, text, begin + block.start, from, true)
    }
    // Quote a row as a whole: “1. Monday of the month | …”.
    const [row] = ROW.exec(text.slice(from, end)) ?? []
    if (row !== undefined) {
      add(sentences, text, from, from + row.length, false)
      from += row.length
    }
    const start = from
    const lines = unwrapped(text.slice(start, end))
      .replace(SOFT_BREAK, ' ')
      .replace(NOTES, (marks) => ' '.repeat(marks.length))
      .replace(CLOSING_MARKS, (marks) => '"'.repeat(marks.length))
      .replace(IMAGE_MARK, 'X')
    for (const { segment, index } of segmenter.segment(lines)) {
      const to = start + index + segment.length
      const piece = text.slice(from, to).trimEnd()
      if (ITEM_NUMBER.test(piece) || isOrdinal(piece, text.slice(to, to + 20))) continue
      if (
        ABBREVIATION.test(piece) &&
        !(MAY_END.test(piece) && OPENING.test(text.slice(to, to + 20)))
      )
        continue
      add(sentences, text, from, to, false)
      from = to
    }
    add(sentences, text, from, end, false)
  }
}

/** Joins hard-wrapped lines. A line is wrapped if the first word of the next line would have made it too wide. */
function unwrapped(block: string): string {
  const lines = block.split('\n')
  const widest = Math.max(...lines.map((line) => line.length))
  if (lines.length === 1 || widest < FEWEST_WRAPPED || widest > MOST_WRAPPED) return block
  return lines.reduce((whole, line, i) => {
    const before = lines[i - 1]!
    const word = line.trimStart().search(/\s|$/)
    const isWrapped =
      before.trimEnd().length + 1 + word > widest &&
      /[\p{L}\p{N},)]\s*$/u.test(before) &&
      !/[\t|]/.test(before + line)
    return whole + (isWrapped ? ' ' : '\n') + line
  })
}

function isOrdinal(piece: string, next: string): boolean {
  return ORDINAL.test(piece) || (/\s\d{1,2}\.$/.test(piece) && MONTH.test(next))
}

// A cache: many steps of an answer split the same passages.
const known = new WeakMap<number[], { text: string; sentences: readonly Sentence[] }>()

/** Splits a passage that was joined from several. Each part keeps the sentences it had alone. */
export function sentencesOfParts(text: string, partStarts: number[]): readonly Sentence[] {
  const before = known.get(partStarts)
  if (before?.text === text) return before.sentences
  const sentences = partStarts.flatMap((from, i) => {
    const part = text.slice(from, partStarts[i + 1])
    return sentencesOf(part).map((one) => ({
      ...one,
      start: from + one.start,
      end: from + one.end,
    }))
  })
  known.set(partStarts, { text, sentences })
  return sentences
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
