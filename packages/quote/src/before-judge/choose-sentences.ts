import { hasWord } from '@docent/text/has-letters.ts'
import { sentencesOfParts } from '@docent/text/sentences.ts'
import type { FoundPassage } from '../found-passage.ts'
import type { Reading, Span } from '../reading.ts'
import { preferAskedItems, preferAskedRows } from './prefer-rows.ts'
import type { Quotable } from './quotable.ts'

/** A sentence that may be quoted, with what speaks for it. */
export interface Candidate extends Quotable {
  value: number
  /** What may answer and begins in the sentence, the likeliest first, where a reader has looked for it. */
  spans: Span[]
}

// What a sentence keeps that shares no word with the question.
const NO_WORDS = 0.03
// How much of what its heading says a sentence says, too.
const OF_HEADING = 0.7

// Fitted on questions of the SQuAD set that the table of docs/explanation/quality.md leaves
// out: which sentence holds the answer.
const READING = { presence: 0.72, share: 0.65, score: 0.19, words: 0.61 }

/**
 * By a reader's spans, those of all passages against one another: how likely it is that one that begins in the sentence
 * answers, from what the reader says of passage and span, the passage's score, and the question's words in the sentence.
 */
export function sentencesByReading(found: FoundPassage[], readings: Reading[]): Candidate[] {
  return found.slice(0, readings.length).flatMap((passage, rank) => {
    const { presence, spans } = readings[rank]!
    const worth = Math.exp(
      READING.presence * presence + READING.score * (passage.score - found[0]!.score),
    )
    const sentences = quotable(passage, rank)
    const inside = sentences.map((sentence) =>
      spans
        .filter(({ start }) => start >= sentence.start && start < sentence.end)
        .toSorted((a, b) => b.share - a.share),
    )
    const above = headingsAbove(passage)
    const shares = inside.map((found) => found.reduce((sum, { share }) => sum + share, 0))
    const own = sentences.map(({ index }) => passage.sentenceCoverage[index] ?? 0)
    const headed = sentences.map(({ index }) => above[index]!)
    const rows = preferAskedRows(sentences, shares, own)
    return preferAskedItems(sentences, rows, own, headed).map((share, i) => {
      const shared = NO_WORDS + own[i]! + OF_HEADING * (1 - own[i]!) * headed[i]!
      const value = worth * share ** READING.share * shared ** READING.words
      return { ...sentences[i]!, value, spans: inside[i]! }
    })
  })
}

/** The share of the question that the heading above each sentence has; of a heading, its own. */
function headingsAbove({ text, partStarts, sentenceCoverage }: FoundPassage): number[] {
  let above = 0
  return sentencesOfParts(text, partStarts).map(({ isHeading }, i) => {
    if (isHeading) above = sentenceCoverage[i] ?? 0
    return above
  })
}

// Fitted on the training questions of SQuAD: which sentence of a paragraph holds the answer.
const WEIGHTS = {
  score: 0.2,
  coverage: 3.5,
  before: 1.2,
  after: 0.8,
  refersBack: 1.8,
  newWords: -0.8,
  length: 1.2,
  number: 2.7,
  date: 2.2,
  name: 1.6,
  place: 0.9,
  reason: 1,
}

/** By words alone: the share of the question that a sentence has, and whether it has what was asked for. */
export function sentencesByWords(question: string, found: FoundPassage[]): Candidate[] {
  const asked = question.toLowerCase()
  const candidates = found.flatMap((passage, rank) =>
    quotable(passage, rank).map((sentence) => {
      const coverage = passage.sentenceCoverage
      const text = passage.text.slice(sentence.start, sentence.end)
      const fresh = (text.match(WORD) ?? []).filter((word) => !asked.includes(word.toLowerCase()))
      const before = coverage[sentence.index - 1] ?? 0
      const logit =
        WEIGHTS.coverage * (coverage[sentence.index] ?? 0) +
        WEIGHTS.before * before +
        WEIGHTS.after * (coverage[sentence.index + 1] ?? 0) +
        WEIGHTS.refersBack * (REFERS_BACK.test(text) ? before : 0) +
        WEIGHTS.newWords * Math.log(1 + fresh.length) +
        (WEIGHTS.length * text.length) / 300 +
        answersKind(asked, text, fresh) +
        WEIGHTS.score * (passage.score - found[0]!.score)
      return { ...sentence, value: Math.exp(logit), spans: [] }
    }),
  )
  return candidates
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu
const REFERS_BACK = /^(it|he|she|they|this|these|his|her|their|its|that|such)\b/i
const NUMBER =
  /\d|^(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|billion|half|third|quarter|percent|twice)$/i
const DATE =
  /^(january|february|march|april|may|june|july|august|september|october|november|december|century|decade|1\d\d\d|20\d\d|\d{1,2}(st|nd|rd|th)?)$/i

/** Whether a sentence has the kind of thing that was asked for. The kinds are those of English questions. */
function answersKind(asked: string, text: string, fresh: string[]): number {
  const few = (words: string[], most: number) => Math.min(words.length, most) / most
  const names = () =>
    few(
      fresh.slice(1).filter((word) => /^\p{Lu}/u.test(word)),
      3,
    )
  if (
    /\bhow (many|much|long|old|far|tall|large|big|often|high|deep|fast|wide)\b|\bpercentage\b/.test(
      asked,
    )
  )
    return (
      WEIGHTS.number *
      few(
        fresh.filter((word) => NUMBER.test(word)),
        2,
      )
    )
  if (/\bwhen\b|\b(what|which) (year|date|month|day|century|decade|time)\b/.test(asked))
    return (
      WEIGHTS.date *
      few(
        fresh.filter((word) => DATE.test(word)),
        2,
      )
    )
  if (/\bwho(m|se)?\b/.test(asked)) return WEIGHTS.name * names()
  if (/\bwhere\b|\b(what|which) (city|country|state|place|location|region)\b/.test(asked))
    return WEIGHTS.place * names()
  if (/\bwhy\b/.test(asked))
    return /\b(because|due to|since|so that|in order|therefore|as a result|caused?|reason)\b/i.test(
      text,
    )
      ? WEIGHTS.reason
      : 0
  return 0
}

/** Headings lead to sentences; they are none. A quote has at least one word. */
function quotable(passage: FoundPassage, rank: number): Quotable[] {
  const sentences = sentencesOfParts(passage.text, passage.partStarts)
  return sentences.flatMap(({ isHeading, start, end }, index) =>
    isHeading || !hasWord(passage.text.slice(start, end))
      ? []
      : [{ passage, rank, index, start, end }],
  )
}
