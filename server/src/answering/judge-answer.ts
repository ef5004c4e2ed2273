import type { Reading } from '../models/reader/passage-reader.ts'
import { analyzeQuestion } from '../search/analyze-text.ts'
import type { FoundPassage } from '../search/find-passages.ts'

/**
 * How likely it is that the sources hold the answer, from 0 to 1. Fitted by logistic regression on answerable and
 * unanswerable questions of SQuAD 2.0 and CLAP NQ; docs/quality.md says how well it tells them apart.
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
  const lead = Math.min(1, (first.score - second!.score) / 20)
  const meanings = found.slice(0, 5).map(({ evidence }) => evidence.meaning)
  const nearest = Math.max(...meanings)
  const usual = meanings.reduce((sum, one) => sum + one, 0) / meanings.length
  const terms = analyzeQuestion(question).length
  // Who gives one or two words and no question wants what is said of them.
  if (terms <= KEYWORDS && sentence === 1) return KEYWORDS_FOUND
  const length = Math.log(1 + terms)
  // Where not one word is shared, meaning has to be near indeed.
  const strange = coverage === 0 ? 1 : 0
  if (!readings || readings.length === 0) {
    const evidence = { coverage, sentence, meaning, lead, nearest, usual, length, strange }
    return logistic(weigh(evidence, WITHOUT_READER))
  }
  const presences = readings.map(({ presence }) => Math.max(-6, Math.min(6, presence)))
  const presence = 0.6 * Math.max(...presences) + 0.4 * presences[0]!
  return logistic(weigh({ presence, meaning, lead, nearest, usual, length, strange }, WITH_READER))
}

const KEYWORDS = 2
const KEYWORDS_FOUND = 0.6

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
  constant: -0.64,
  presence: 0.58,
  meaning: 1.75,
  lead: 0.52,
  nearest: 0.87,
  usual: -1.75,
  length: -0.52,
  strange: -1.3,
}

/** How likely it is that a pair's question asks the same, or its answer speaks of it, from 0 to 1. */
export function judgePair({ evidence, sentenceCoverage }: FoundPassage): number {
  const coverage = Math.max(evidence.coverage, ...sentenceCoverage)
  return logistic(weigh({ meaning: evidence.meaning, coverage }, PAIR))
}

const PAIR = { constant: -2.9, meaning: 4.5, coverage: 3.4 }

function weigh<T extends Record<string, number>>(
  evidence: T,
  { constant, ...weights }: Record<keyof T | 'constant', number>,
): number {
  let sum: number = constant
  for (const [name, weight] of Object.entries<number>(weights)) sum += weight * evidence[name]!
  return sum
}

function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
