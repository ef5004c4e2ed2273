import type { Evidence } from '@docent/quote/found-passage.ts'
import { analyzeText } from '@docent/text/analyze-text.ts'
import { readPassageWords } from '@docent/text/passage-words.ts'
import { MOST_WEIGHT, weighWords } from './bm25.ts'
import shortNames from './short-names.json' with { type: 'json' }
import {
  PAIR_ANSWER_WEIGHT,
  PAIR_QUESTION_LENGTH,
  PASSAGE_WEIGHTS,
  pairWeights,
  SHARE_OF_RAREST,
} from './weights.ts'

/** How rare the words of a question are in the passages of one chatbot. */
export interface WordStatistics {
  /** The number of the chatbot's passages. */
  passages: number
  /** Average length of a passage's words, in characters. */
  averageLength: number
  /** The number of passages that contain each word of the question. */
  found: ReadonlyMap<string, number>
}

export interface Candidate {
  words: string
  /** A pair is matched on its question. */
  isPair: boolean
  /** Nearness in meaning, from -1 to 1. */
  cosine: number
  /** Share of the question that the embedder understands, from 0 to 1. It weights `cosine`. */
  understood: number
}

export interface QuestionWords {
  /** The words for the subject of the question. */
  terms: string[]
  /** All words in order, including function words. */
  all: string[]
}

export interface Scored {
  score: number
  evidence: Evidence
  /** Each sentence's share of the question, in order. */
  sentenceCoverage: number[]
}

// In analyzed form: “Sat closed” refers to Saturday.
const SHORT_NAMES = new Map(
  Object.entries(shortNames).map(([short, whole]) => [short, analyzeText(whole)[0]!] as const),
)

/** Adds the evidence of words and meaning with tuned weights. */
export function scoreCandidate(
  question: QuestionWords,
  candidate: Candidate,
  statistics: WordStatistics,
): Scored {
  const { lead, sentences } = readPassageWords(candidate.words)
  // Computed only for the question's words, because a passage has many more.
  const rarities = new Map(question.all.map((term) => [term, rarityOf(term, statistics)]))
  for (const term of question.terms) rarities.set(term, rarityOf(term, statistics))
  const rarity = (term: string) => rarities.get(term)!
  const whole = question.terms.reduce((sum, term) => sum + rarity(term), 0) || 1
  const has = (words: string[]) => {
    const found = new Set(
      words.map((word) => SHORT_NAMES.get(word) ?? word).filter((word) => rarities.has(word)),
    )
    return question.terms.reduce((sum, term) => sum + (found.has(term) ? rarity(term) : 0), 0)
  }
  const body = sentences.flat()
  const matched = candidate.isPair ? lead : [...lead, ...body]
  // Function words distinguish one pair from another, but not one passage from another.
  const terms = candidate.isPair ? [...new Set(question.all)] : question.terms
  const sentenceScores = sentences.map(has)
  const evidence: Evidence = {
    words: candidate.isPair
      ? bm25(terms, lead, PAIR_QUESTION_LENGTH, rarity) +
        PAIR_ANSWER_WEIGHT * bm25(question.terms, body, statistics.averageLength, rarity)
      : bm25(terms, matched, statistics.averageLength, rarity),
    meaning: Math.max(0, candidate.cosine),
    phrases: sharedPhrases(question.all, matched, rarity),
    sentence: Math.max(0, ...sentenceScores),
    coverage: has(matched) / whole,
  }
  const sayable = Math.max(whole, SHARE_OF_RAREST * rarityOfHeldBy(1, statistics.passages))
  const asCounted = (weights: Evidence) => ({
    ...weights,
    meaning: candidate.understood * weights.meaning,
  })
  const ofPassages = asCounted(PASSAGE_WEIGHTS)
  const weights = candidate.isPair ? asCounted(pairWeights(whole, sayable)) : ofPassages
  // A full match scores the same for pairs and passages.
  const scale = candidate.isPair ? fullMatch(ofPassages, whole) / fullMatch(weights, whole) : 1
  let score = 0
  for (const name of Object.keys(weights) as (keyof Evidence)[]) {
    score += scale * weights[name] * evidence[name]
  }
  return { score, evidence, sentenceCoverage: sentenceScores.map((found) => found / whole) }
}

function fullMatch({ words, meaning }: Evidence, whole: number): number {
  return words * MOST_WEIGHT * whole + meaning
}

/** Averages the scores for several wordings of one question, weighted by their shares. */
export function mixScores(judged: (Scored & { share: number })[]): Scored {
  const mix = (of: (one: Scored) => number) =>
    judged.reduce((sum, one) => sum + one.share * of(one), 0)
  const first = judged[0]!
  const names = Object.keys(first.evidence) as (keyof Evidence)[]
  return {
    score: mix(({ score }) => score),
    evidence: Object.fromEntries(
      names.map((name) => [name, mix(({ evidence }) => evidence[name])]),
    ) as unknown as Evidence,
    sentenceCoverage: first.sentenceCoverage.map((_, i) =>
      mix(({ sentenceCoverage }) => sentenceCoverage[i]!),
    ),
  }
}

/** Inverse document frequency as in BM25, never negative. */
export function rarityOf(term: string, { passages, found }: WordStatistics): number {
  return rarityOfHeldBy(Math.min(found.get(term) ?? 0, passages), passages)
}

function rarityOfHeldBy(holding: number, passages: number): number {
  return Math.log(1 + (passages - holding + 0.5) / (holding + 0.5))
}

function bm25(
  terms: string[],
  words: string[],
  averageLength: number,
  rarity: (term: string) => number,
): number {
  const counts = new Map(terms.map((term) => [term, 0]))
  let length = 0
  for (const word of words) {
    const count = counts.get(word)
    if (count !== undefined) counts.set(word, count + 1)
    length += word.length + 1
  }
  const weigh = weighWords(length, averageLength)
  let score = 0
  for (const term of terms) {
    const count = counts.get(term)!
    if (count > 0) score += rarity(term) * weigh(count)
  }
  return score
}

function sharedPhrases(asked: string[], words: string[], rarity: (term: string) => number): number {
  const wanted = new Set(asked)
  const pairs = new Set<string>()
  for (let i = 1; i < words.length; i++) {
    if (wanted.has(words[i]!) && wanted.has(words[i - 1]!)) pairs.add(`${words[i - 1]} ${words[i]}`)
  }
  let score = 0
  for (let i = 1; i < asked.length; i++) {
    if (!pairs.has(`${asked[i - 1]} ${asked[i]}`)) continue
    score += Math.min(rarity(asked[i - 1]!), rarity(asked[i]!))
  }
  return score
}
