import { analyzeQuestion } from '@docent/text/analyze-text.ts'
import { sentencesOfParts } from '@docent/text/sentences.ts'
import type { FoundPassage, Nearness } from '../found-passage.ts'
import type { Reading } from '../reading.ts'
import { isKeywords } from './asks-to-explain.ts'
import { saysOtherwise } from './says-otherwise.ts'
import { missesNegation } from './turns-meaning.ts'

/**
 * How likely it is that the sources hold the answer, from 0 to 1. Fitted by logistic regression on answerable and
 * unanswerable questions of SQuAD 2.0 and CLAP NQ, but for what a sentence denies or says otherwise, which was set by
 * hand; docs/explanation/quality.md says how well it tells them apart.
 */
export function judgePassages(
  question: string,
  found: FoundPassage[],
  readings: Reading[] | undefined,
): number {
  const [first, second = first] = found
  if (!first) return 0
  const { coverage, meaning } = first.evidence
  const sentence = Math.max(0, ...first.sentenceCoverage)
  const meanings = found.slice(0, USUAL).map(({ evidence }) => evidence.meaning)
  const usual = meanings.reduce((sum, one) => sum + one, 0) / meanings.length
  const terms = analyzeQuestion(question).length
  // Who gives one or two words and no question wants what is said of them.
  const least = terms <= KEYWORDS && sentence === 1 ? KEYWORDS_FOUND : 0
  // Where not one word is shared, meaning has to be near indeed.
  const strange = coverage === 0 ? 1 : 0
  if (!readings || readings.length === 0) {
    const lead = Math.min(1, (first.score - second!.score) / 20)
    const nearest = Math.max(...meanings)
    const length = Math.log(1 + terms)
    const evidence = { coverage, sentence, meaning, lead, nearest, usual, length, strange }
    return Math.max(least, logistic(weigh(evidence, WITHOUT_READER)))
  }
  const presences = readings.map(({ presence }) => Math.max(-6, Math.min(6, presence)))
  const odds = presences.map((presence, i) =>
    Math.exp(presence + RANK_DECAY * (found[i]!.score - first.score)),
  )
  const together = Math.log(odds.reduce((sum, one) => sum + one, 0))
  const presence = 0.25 * presences[0]! + 0.75 * together
  const surest = surestSentence(found, readings, odds)
  const negation = missesNegation(question, surest) ? 1 : 0
  const otherwise = saysOtherwise(question, surest) ? 1 : 0
  const evidence = { presence, sentence, meaning, usual, strange, negation, otherwise }
  return Math.max(least, logistic(weigh(evidence, WITH_READER)))
}

// So many passages say what is usual.
const USUAL = 5
// How much the reader's word on a passage loses, on the scale of scores, where that is not the best one.
const RANK_DECAY = 0.15
const KEYWORDS = 2
const KEYWORDS_FOUND = 0.6
// A pair that has them may be about something else.
const KEYWORDS_IN_PAIR = 0.5

const WITHOUT_READER = {
  constant: -1.17,
  coverage: 0.24,
  sentence: 0.85,
  meaning: 0.84,
  lead: 0.81,
  nearest: 0.51,
  usual: 0.05,
  length: -0.51,
  strange: -1.3,
}
const WITH_READER = {
  constant: -1,
  presence: 0.48,
  sentence: 0.3,
  meaning: 3.2,
  usual: -1.6,
  strange: -2.3,
  // The reader compares words: who asks what is not so is shown what is, and who asks for one year another.
  negation: -1.6,
  otherwise: -2,
}

/** The sentence of which the reader thinks that it answers. */
function surestSentence(found: FoundPassage[], readings: Reading[], odds: number[]): string {
  const surest = odds.indexOf(Math.max(...odds))
  const { text, partStarts } = found[surest]!
  const at = readings[surest]!.spans[0]?.start ?? 0
  const sentence = sentencesOfParts(text, partStarts).find(({ end }) => end > at)
  return text.slice(sentence?.start, sentence?.end)
}

/** How likely it is that a pair's question asks the same, from 0 to 1. */
export function judgePair(question: string, pair: FoundPassage): number {
  const { evidence, nearness, sentenceCoverage } = pair
  const coverage = Math.max(evidence.coverage, ...sentenceCoverage)
  const hasKeywords =
    coverage === 1 && isKeywords(question) && analyzeQuestion(question).length <= KEYWORDS
  const same = judgeSame({ nearness, meaning: evidence.meaning, coverage }, SAME_AS_PAIR)
  return Math.max(hasKeywords ? KEYWORDS_IN_PAIR : 0, same)
}

/** The same of the heading that comes nearest, in the passage that does. */
export function judgeHeading(likeness: Likeness): number {
  return judgeSame(likeness, SAME_AS_HEADING)
}

interface Likeness {
  nearness: Nearness
  meaning: number
  /** The share of the question's words. */
  coverage: number
}

function judgeSame({ nearness, meaning, coverage }: Likeness, fitted: typeof SAME_AS_PAIR): number {
  if (nearness === 'known') return logistic(weigh({ meaning }, fitted))
  if (nearness === 'none') return logistic(weigh({ coverage }, SAME_WORDS))
  return logistic(weigh({ meaning, coverage }, SAME_IN_ANOTHER_SPACE))
}

// Fitted on StackFAQ and CovidFAQ, with and without the pair that answers. Beside meaning, the share of words tells nothing
// more: “How heavy is the Pro?” has most of its words from “Which beans work best with the Pro?”.
const SAME_AS_PAIR = { constant: -6.2, meaning: 8.9 }
const SAME_AS_HEADING = { constant: -7.4, meaning: 11.3 }
// Set by hand: half of the words are enough where nothing else can be known.
const SAME_WORDS = { constant: -2.1, coverage: 3.4 }
const SAME_IN_ANOTHER_SPACE = { constant: -3.6, meaning: 4.5, coverage: 3.4 }

function weigh<T extends Record<string, number>>(
  evidence: T,
  { constant, ...weights }: Record<keyof T | 'constant', number>,
): number {
  let sum: number = constant
  for (const [name, weight] of Object.entries<number>(weights)) sum += weight * evidence[name]!
  return sum
}

export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
