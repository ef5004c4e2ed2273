import { asks } from '@docent/text/faq-heading.ts'
import { sentencesOfParts } from '@docent/text/sentences.ts'
import { asksHow } from './asks-how.ts'
import { asksToExplain } from './asks-to-explain.ts'
import type { Candidate } from './choose-sentences.ts'
import { pieceOf } from './cut-sentence.ts'
import { explain } from './explain.ts'
import { ENOUGH, heldBy, shareOf, takeBest, wordsOf } from './take-best.ts'

// An answer is read at a glance.
export const MAX_LENGTH = 290
// And one that is exact before that: with its marker it has at most 120 characters.
const SHORT = 114
// That the answer is in this piece of a sentence.
const SURE_OF_PIECE = 0.5
// And that none beside it does better: of short paragraphs, all is quoted below this.
const SURE_OF_SENTENCE = 0.8
// And that this sentence explains what was asked.
const SURE_OF_EXPLANATION = 0.7
const MAX_TITLE = 80

/** What speaks for each candidate as its share of all, the best first. */
export function weigh(question: string, candidates: Candidate[]): Candidate[] {
  const isPriceless = asksForPrice(question) && candidates.some(hasPrice)
  const weighed = candidates.map((one) => {
    if (isTitle(one) || isConclusion(one)) return one.value / 30
    if (isQuestion(one) || (!asksHow(question) && isBareCode(one))) return one.value / 10
    return isPriceless && !hasPrice(one) ? one.value / 4 : one.value
  })
  const whole = weighed.reduce((sum, value) => sum + value, 0) || 1
  return candidates
    .map((one, i) => ({ ...one, value: weighed[i]! / whole }))
    .toSorted((a, b) => b.value - a.value)
}

/**
 * A piece of the best sentence where the reader is sure of it; otherwise the best sentences, or pieces of them where
 * more of what may answer has room that way. What explains is quoted in whole sentences.
 */
export function chooseQuotes(
  question: string,
  candidates: Candidate[],
  confidence: number,
): Candidate[] {
  const best = candidates[0]!
  const sureOf = (one: Candidate) => Math.sqrt(confidence) * supportFor(one, candidates)
  if (asksToExplain(question)) {
    const isEnough = best.end - best.start <= SHORT && sureOf(best) >= SURE_OF_EXPLANATION
    return isEnough ? [best] : explain(candidates)
  }
  const exact = pieceOf(best, question, SHORT)
  const sure = sureOf(exact ?? best)
  const chosen = exact && sure >= SURE_OF_PIECE ? [exact] : chooseSeveral(question, candidates)
  // Words alone do not tell how sure one can be.
  const isEnough = chosen.length > 1 || sure >= SURE_OF_SENTENCE || best.spans.length === 0
  return (!isEnough && paragraphOf(best)) || chosen
}

function chooseSeveral(question: string, candidates: Candidate[]): Candidate[] {
  const sentences = takeBest(candidates, (one) => one, MAX_LENGTH)
  if (heldBy(sentences) >= ENOUGH) return sentences
  const pieces = takeBest(candidates, (one) => pieceOf(one, question, SHORT) ?? one, MAX_LENGTH)
  return heldBy(pieces) > heldBy(sentences) ? pieces : sentences
}

/** The few sentences that stand together with it, if there is room for all of them. */
function paragraphOf({ cut: _, ...chosen }: Candidate): [Candidate] | undefined {
  const { passage, index } = chosen
  const sentences = sentencesOfParts(passage.text, passage.partStarts)
  const goesOn = (i: number) =>
    !sentences[i]!.isHeading &&
    !sentences[i - 1]!.isHeading &&
    !/\n/.test(passage.text.slice(sentences[i - 1]!.end, sentences[i]!.start))
  let [first, last] = [index, index]
  while (first > 0 && goesOn(first)) first -= 1
  while (last < sentences.length - 1 && goesOn(last + 1)) last += 1
  const { start } = sentences[first]!
  const { end } = sentences[last]!
  return first < last && end - start <= MAX_LENGTH ? [{ ...chosen, start, end }] : undefined
}

/** What speaks for the answers in a piece, wherever they were found: several passages may give the same one. */
function supportFor(piece: Candidate, candidates: Candidate[]): number {
  const said = wordsOf(piece)
  return candidates.reduce((sum, { value, passage, spans }) => {
    const same = spans.filter((span) => said.includes(wordsOf({ passage, ...span })))
    return sum + value * shareOf(same)
  }, 0)
}

/** Code that no sentence leads to: it shows how, and tells little else. */
function isBareCode({ passage, start }: Candidate): boolean {
  return /^(?:`{3}|~{3})/.test(passage.text.slice(start, start + 3))
}

/** A short line above a paragraph that ends like no sentence: it leads to an answer, but is none. */
function isTitle({ passage, start, end }: Candidate): boolean {
  const line = passage.text.slice(start, end).trimEnd()
  if (line.length > MAX_TITLE || !/[\p{L}\p{N})]$/u.test(line)) return false
  const after = passage.text.slice(end, end + 8)
  if (/^\s*\n\s*\n/.test(after)) return true
  // Its paragraph may be in the next passage.
  return /^[ \t]*(?:$|\n\s*\p{Lu})/u.test(after) && TITLE_CASE.test(line)
}

/** Who asks, too, does not answer. */
function isQuestion({ passage, end }: Candidate): boolean {
  return asks(passage.text[end - 1]!)
}

const ASKS_FOR_PRICE =
  /(?<!\p{L})(?:how much (?:is|are|for|to|do|does|did|will|would)\b(?!.*\b(?:need|weigh|hold|take|get)\b)|prices?|costs?|fees?|charges?|(?:was|wie ?viel) kostet|kosten|preise?|gebühr(?:en)?|combien (?:coûte|ça)|prix|tarifs?|coûte|cuánto (?:cuesta|vale|es)|cuesta|precios?|quanto (?:costa|custa)|prezz[oi]|preços?|hoeveel kost|kost|prijs)(?!\p{L})/iu
const PRICE =
  /[$€£¥]\s?\d|\d\s?(?:[€$£¥%]|(?:euros?|dollars?|pounds?|EUR|USD|GBP|CHF|kr)(?!\p{L}))|(?<![\d.])\d+[.,]\d\d(?![\d.])|(?<!\p{L})(?:free|gratis|kostenlos|kostenfrei|gebührenfrei|gratuit)/iu

function asksForPrice(question: string): boolean {
  return ASKS_FOR_PRICE.test(question)
}

function hasPrice({ passage, start, end }: Candidate): boolean {
  return PRICE.test(passage.text.slice(start, end))
}

// “CARE MANAGEMENT: How It Works”.
const TITLE_CASE =
  /^\p{Lu}[\p{L}’'-]*[:,]?(?:[ \t]+(?:\p{Lu}[\p{L}’'-]*|an?|the|of|and|or|for|to|in|on|with|by)[:,]?)+$/u
// “By following these steps, you can …” says nothing of the steps.
const CONCLUSION =
  /^(?:(?:overall|finally|in (?:conclusion|summary|short)),? )?(?:by|with|through) (?:following|understanding|taking|knowing|keeping|using|being|reading) (?:(?!,).){3,160}, (?:you|we|they|employees|members|users|customers)\b/i

/** What only says that it was good to have read all before it. */
function isConclusion({ passage, start, end }: Candidate): boolean {
  return CONCLUSION.test(passage.text.slice(start, end))
}
