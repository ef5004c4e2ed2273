import type { Span } from '../reading.ts'
import type { Candidate } from './choose-sentences.ts'
import { shorten } from './cut-sentence.ts'

// What is quoted holds at least this much of what speaks for all, if there is room.
export const ENOUGH = 0.85
// What holds less than this is no help beside the best; what has no word of the question, less often.
const LEAST = 0.05
const LEAST_WITHOUT_WORDS = 0.35
// The marker and the signs for what is left out.
const SIGNS = ' … … [1.1]'.length

/** The best candidates as they are to be quoted, until they hold enough or the answer is long enough. */
export function takeBest(
  candidates: Candidate[],
  toQuote: (candidate: Candidate) => Candidate,
  longest: number,
): Candidate[] {
  const chosen: Candidate[] = []
  let length = 0
  for (const candidate of candidates) {
    if (chosen.length > 0 && candidate.value < LEAST) break
    if (chosen.length > 0 && candidate.value < LEAST_WITHOUT_WORDS && sharesNothing(candidate))
      continue
    // The same answer from another place would only take room.
    const [answer] = candidate.spans
    const words = answer && wordsOf({ ...candidate, ...answer })
    if (words && chosen.some((one) => wordsOf(one).includes(words))) continue
    const quote = toQuote(candidate)
    const size = quote.end - quote.start
    if (chosen.length > 0 && (isFragment(quote) || length + size > longest)) continue
    chosen.push(shorten(quote, longest))
    length += Math.min(size, longest) + SIGNS
    if (heldBy(chosen) >= ENOUGH) break
  }
  return chosen
}

/** With the question. */
function sharesNothing({ passage, index }: Candidate): boolean {
  return passage.sentenceCoverage[index] === 0
}

/** What speaks for the sentences, as far as it speaks for what is quoted of them. */
export function heldBy(chosen: Candidate[]): number {
  return chosen.reduce((sum, { value, start, end, spans }) => {
    const whole = shareOf(spans)
    const inside = spans.filter((span) => span.start >= start && span.end <= end)
    return sum + (whole > 0 ? (value * shareOf(inside)) / whole : value)
  }, 0)
}

/** Each between blanks, so that no word is found in another one. */
export function wordsOf({
  passage,
  start,
  end,
}: Pick<Candidate, 'passage' | 'start' | 'end'>): string {
  const words =
    passage.text
      .slice(start, end)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return ` ${words.join(' ')} `
}

export function shareOf(spans: Span[]): number {
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
