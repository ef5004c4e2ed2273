import type { Span } from '../models/reader/passage-reader.ts'
import { asksHow } from './asks-how.ts'
import type { Candidate } from './choose-sentences.ts'
import { pieceOf, shorten } from './cut-sentence.ts'

// An answer is read at a glance.
export const MAX_LENGTH = 290
// And one that is exact before that: with its marker it has at most 120 characters.
const SHORT = 114
// The marker and the signs for what is left out.
const SIGNS = ' … … [1.1]'.length
// That the answer is in this piece of a sentence.
const SURE_OF_PIECE = 0.5
// What is quoted holds at least this much of what speaks for all, if there is room.
const ENOUGH = 0.85
// What holds less than this is no help beside the best.
const LEAST = 0.05
const MAX_TITLE = 80

/** What speaks for each candidate as its share of all, the best first. */
export function weigh(question: string, candidates: Candidate[]): Candidate[] {
  const isLess = (one: Candidate) => isTitle(one) || (!asksHow(question) && isBareCode(one))
  const weighed = candidates.map((one) => (isLess(one) ? one.value / 10 : one.value))
  const whole = weighed.reduce((sum, value) => sum + value, 0) || 1
  return candidates
    .map((one, i) => ({ ...one, value: weighed[i]! / whole }))
    .toSorted((a, b) => b.value - a.value)
}

/**
 * A piece of the best sentence where the reader is sure of it; otherwise the best sentences, or pieces of them where
 * more of what may answer has room that way.
 */
export function chooseQuotes(
  question: string,
  candidates: Candidate[],
  confidence: number,
): Candidate[] {
  const exact = pieceOf(candidates[0]!, question, SHORT)
  if (exact && Math.sqrt(confidence) * supportFor(exact, candidates) >= SURE_OF_PIECE)
    return [exact]
  const sentences = takeBest(candidates, (one) => one)
  if (heldBy(sentences) >= ENOUGH) return sentences
  const pieces = takeBest(candidates, (one) => pieceOf(one, question, SHORT) ?? one)
  return heldBy(pieces) > heldBy(sentences) ? pieces : sentences
}

/** Until they hold enough or the answer is long enough. */
function takeBest(
  candidates: Candidate[],
  toQuote: (candidate: Candidate) => Candidate,
): Candidate[] {
  const chosen: Candidate[] = []
  let length = 0
  for (const candidate of candidates) {
    if (chosen.length > 0 && candidate.value < LEAST) break
    // The same answer from another place would only take room.
    const [answer] = candidate.spans
    const words = answer && wordsOf({ ...candidate, ...answer })
    if (words && chosen.some((one) => wordsOf(one).includes(words))) continue
    const quote = toQuote(candidate)
    const size = quote.end - quote.start
    if (chosen.length > 0 && (isFragment(quote) || length + size > MAX_LENGTH)) continue
    chosen.push(shorten(quote, MAX_LENGTH))
    length += Math.min(size, MAX_LENGTH) + SIGNS
    if (heldBy(chosen) >= ENOUGH) break
  }
  return chosen
}

/** What speaks for the sentences, as far as it speaks for what is quoted of them. */
function heldBy(chosen: Candidate[]): number {
  return chosen.reduce((sum, { value, start, end, spans }) => {
    const whole = shareOf(spans)
    const inside = spans.filter((span) => span.start >= start && span.end <= end)
    return sum + (whole > 0 ? (value * shareOf(inside)) / whole : value)
  }, 0)
}

/** What speaks for the answers in a piece, wherever they were found: several passages may give the same one. */
function supportFor(piece: Candidate, candidates: Candidate[]): number {
  const said = wordsOf(piece)
  return candidates.reduce((sum, { value, passage, spans }) => {
    const same = spans.filter((span) => said.includes(wordsOf({ passage, ...span })))
    return sum + value * shareOf(same)
  }, 0)
}

/** Each between blanks, so that no word is found in another one. */
function wordsOf({ passage, start, end }: Pick<Candidate, 'passage' | 'start' | 'end'>): string {
  const words =
    passage.text
      .slice(start, end)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return ` ${words.join(' ')} `
}

function shareOf(spans: Span[]): number {
  return spans.reduce((sum, { share }) => sum + share, 0)
}

// A script that has blanks between words.
const BLANKS = /^[\p{Script=Latin}\P{L}]+$/u
const FRAGMENT_WORDS = 2

/** A cell of a table, or what a quotation mark has left over. */
function isFragment({ passage, start, end }: Candidate): boolean {
  const text = passage.text.slice(start, end)
  return BLANKS.test(text) && text.split(/\s+/).length <= FRAGMENT_WORDS
}

/** Code that no sentence leads to: it shows how, and tells little else. */
function isBareCode({ passage, start }: Candidate): boolean {
  return /^(?:`{3}|~{3})/.test(passage.text.slice(start, start + 3))
}

/** A short line above a paragraph that ends like no sentence: it leads to an answer, but is none. */
function isTitle({ passage, start, end }: Candidate): boolean {
  const line = passage.text.slice(start, end).trimEnd()
  return (
    line.length <= MAX_TITLE &&
    /[\p{L}\p{N})]$/u.test(line) &&
    /^\s*\n\s*\n/.test(passage.text.slice(end, end + 8))
  )
}
