import { detectLanguage } from '@docent/text/detect-language.ts'
import type { FoundPassage } from '../found-passage.ts'
import { saysOpposite } from './says-otherwise.ts'
import { NEGATES } from './turns-meaning.ts'

/**
 * From how near in meaning a pair asks the same. On CovidFAQ, which it was chosen on, 19 of 20 are right from .89 on, and
 * on StackFAQ all; `bench/evals/pairs-override.ts` measures it, docs/explanation/quality.md has the figures.
 */
export const SAME_MEANING = 0.9

// The encoder puts a question near another one that asks for the opposite, or for another day. Words of one side mean
// about the same; two questions that name different sides ask for different things.
const SIDES = [
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday',
  'january|february|march|april|may|june|july|august|september|october|november|december',
  'enable activate|disable deactivate',
  'open|close',
  'add create|remove delete',
  'import|export',
  'upload|download',
  'start|stop',
  'before|after',
  'child children|adult adults|student students|senior seniors',
].map((row) => row.split('|').map((side) => side.split(' ')))

/** How many of such pairs were right, at least: what is known of one. */
export const SAME_CONFIDENCE = 0.95

type Pair = Pick<FoundPassage, 'lead' | 'text' | 'nearness' | 'evidence'>

/**
 * Whether a pair's question asks the same as another one. Beyond the very same words, only what is known of English is
 * believed: in other languages, and by other encoders, nobody has measured what nearness means.
 */
export function asksTheSame(question: string, pair: Pair, bound = SAME_MEANING): boolean {
  if (isSameText(question, pair.lead)) return true
  const isNear = pair.nearness === 'known' && pair.evidence.meaning >= bound
  return isNear && mayAskTheSame(question, pair)
}

/** Before it is known how near they are. */
export function mayAskTheSame(question: string, { lead, text }: Pick<Pair, 'lead' | 'text'>) {
  if (isSameText(question, lead)) return true
  if (detectLanguage(question) !== 'en' || detectLanguage(lead, text) !== 'en') return false
  return !tellsApart(question, lead)
}

function tellsApart(question: string, lead: string): boolean {
  if (NEGATES.test(question) !== NEGATES.test(lead)) return true
  if (saysOpposite(question, lead) || saysOpposite(lead, question)) return true
  if (NUMBERS.some((kind) => namesOthers(question, lead, kind))) return true
  const asked = wordsOf(question)
  const paired = wordsOf(lead)
  return SIDES.some((sides) => {
    const named = sidesIn(sides, asked)
    const others = sidesIn(sides, paired)
    return named !== '' && others !== '' && named !== others
  })
}

// Versions and prices; names such as C++ and C#.
const NUMBERS = [/\d+/g, /(?<!\p{L})\p{L}+[+#]+/gu]

function namesOthers(question: string, lead: string, kind: RegExp): boolean {
  const named = new Set(question.toLowerCase().match(kind))
  return named.symmetricDifference(new Set(lead.toLowerCase().match(kind))).size > 0
}

function sidesIn(sides: string[][], words: Set<string>): string {
  return sides.flatMap((side, i) => (side.some((word) => words.has(word)) ? [i] : [])).join()
}

function wordsOf(text: string): Set<string> {
  // Days in the plural are days.
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  return new Set(words.map((word) => word.replace(/days$/, 'day')))
}

const SENTENCE_ENDS = new Set(' ?!.。')

function isSameText(question: string, lead: string): boolean {
  return plainOf(question) === plainOf(lead)
}

/** As it is asked, but for case, blanks and what ends it. */
function plainOf(text: string): string {
  const oneLine = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
  let end = oneLine.length
  while (end > 0 && SENTENCE_ENDS.has(oneLine[end - 1]!)) end -= 1
  return oneLine.slice(0, end).trimStart()
}
