import { codeBlocksOf } from './code-blocks.ts'
import WORDS from './sentence-words.json' with { type: 'json' }

/** A stretch of a text: a sentence, a row of a table, an item of a list, a heading, or code with what leads to it. */
export interface Sentence {
  start: number
  end: number
  isHeading: boolean
}

/** Any blank, or none, stands for one in a word. */
function asPattern(word: string): string {
  return word.replaceAll('.', '\\.').replaceAll(' ', '\\s?')
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

// A line that begins like this stands by itself. Other line breaks are those of a paragraph that was set in a column.
const BLOCK_BREAK =
  /\n\s*\n|\n(?=\s*(?:[|#>•*+–-]|\d+[.)]\s|\p{Lu}[^\n]{0,60}:\s|[^\n|]{1,200} \| ))/gu
const ROW = /^\s*[^\n|#]{1,200} \| [^\n]*/
// A full stop after these ends no sentence.
const ABBREVIATION = new RegExp(
  `(?:^|[\\s(])(?:\\p{L}|${WORDS.abbreviations.map(asPattern).join('|')})\\.$`,
  'iu',
)
// Of a German sentence, the number of a day or a floor: “am 12. April”, “im 3. Stock”.
const ORDINAL =
  /(?:(?:^|\s)(?:am|vom|zum|beim|im|ab|bis|seit|dem|den|der|des|die|das|jeden|jeder|jedes|und|oder) |[–-]\s?)\d{1,2}\.$/i
const MONTH = /^\s*(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)[\p{L}.]*/u
// Unless the next one begins like a sentence: “sold to Acme Inc. In 1990 …”.
const MAY_END = /\b(?:no|etc|al|Inc|Ltd|Co|Corp|min|max|ext|incl|U\.S|U\.K)\.$/i
const OPENING = new RegExp(`^\\s*(?:${WORDS.openings.join('|')})\\s`, 'i')
// Nor does the number of an item.
const ITEM_NUMBER = /^\s*\d{1,3}\.$/
// “… in 1990.[3][citation needed] It …”: the marks belong to the sentence before them.
const NOTES =
  /(?<=[.!?]["'”’)]?)(?:\[\^?(?:\d{1,3}|\p{Ll}|(?:note|nb) \d{1,3}|[\p{L}\s]{1,20} needed)\]|[⁰¹²³⁴-⁹]{1,3}){1,9}(?=\s)/giu
// The segmenter ends a sentence at every line break; where the next line goes on in small letters, it does not end.
const SOFT_BREAK = /[\r\n](?=\s{0,100}\p{Ll})/gu

// “**Hinweis!** Der Pavillon …”: marks that close belong to the sentence before them, as closing quotation marks do.
const CLOSING_MARKS = /(?<=[.!?…。！？]["'”’)]{0,2})[*_]{1,3}(?=[\s,;:)"'”’]|$)/g
// “![plan](plan.png)” exclaims nothing: its first sign is like a letter that a sentence may begin with.
const IMAGE_MARK = /!(?=\[)/g

// How wide texts are that somebody, or his program, has wrapped.
const FEWEST_WRAPPED = 55
const MOST_WRAPPED = 110

// Longer code is taken line by line, like prose.
const LONGEST_CODE = 1300

/** The sentences of a text in order; between them there is nothing but blanks. */
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

/** “Install it with npm:” says nothing without what comes next. */
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
    // A row is quoted whole: “1. Monday of the month | …”.
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

/** Where the first word of the next line would not have found room, a line is none: it is only wide enough. */
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

// Many steps of one answer look at the same passages.
const known = new WeakMap<number[], { text: string; sentences: readonly Sentence[] }>()

/** The sentences of a passage that was joined from several: as they were when each stood alone. */
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
