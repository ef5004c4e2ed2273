import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { askingHeading } from '@docent/text/faq-heading.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import type { Database, ReadingStep } from '../database/database.ts'
import { passageIndex } from './index/choose-index.ts'
import type { CandidatePassage } from './index/passage-index.ts'
import {
  mixScores,
  type QuestionWords,
  rarityOf,
  type Scored,
  scoreCandidate,
  type WordStatistics,
} from './ranking/combine-scores.ts'
import { type Compounds, compoundsOf, partUnknown, togetherIn } from './ranking/compounds.ts'
import { ASKING_SECTION_WEIGHT, COMMON_WORD } from './ranking/weights.ts'
import type { QuestionVector } from './vectors/text-vectors.ts'

/** A question as the index receives it. */
export interface AskedQuestion {
  chatbotId: string
  /** Without a vector, only words find passages. */
  wordings: (Wordings[number] & { vector: QuestionVector | undefined })[]
  limit: number
}

// More words of a pasted text find nothing better and only cost time.
const MAX_TERMS = 64

/** Reading and scoring a hundred candidates takes milliseconds that other requests should not wait for. */
export const readingStep: ReadingStep<AskedQuestion, FoundPassage[]> = {
  module: import.meta.url,
  run: rankPassages,
}

/**
 * Words and meaning each name candidates. Both then score every candidate, for every wording of the question. Returns
 * the best first, without duplicates.
 */
async function rankPassages(
  db: Database,
  { chatbotId, wordings, limit }: AskedQuestion,
): Promise<FoundPassage[]> {
  const prepared = await Promise.all(
    wordings.map(async (wording) => {
      const words = wordsOfQuestion(wording.text)
      const statistics = await passageIndex(db).readStatistics(db, chatbotId, termsToCount(words))
      const understood = wording.vector?.understood ?? 0
      const parted = partWords(words, statistics)
      return { ...wording, asked: words, words: parted, statistics, understood }
    }),
  )
  if (prepared[0]!.statistics.passages === 0) return []
  const named = await Promise.all(prepared.map((one) => nameCandidates(db, chatbotId, one)))
  const ids = [...new Set(named.flat())]
  const vectors = prepared.map(({ vector }) => vector)
  const candidates = await passageIndex(db).readCandidates(db, chatbotId, ids, vectors)
  const nearness = vectors[0]?.nearness ?? 'none'
  const settled = prepared.map(({ asked, ...one }) => ({
    ...one,
    words: partWords(asked, one.statistics, candidates),
  }))
  const scored = candidates.map(({ words, cosines, ...passage }) => {
    const weighed = weighPassage(settled, { ...passage, words, cosines })
    return { ...passage, count: 1, partStarts: [0], nearness, ...weighed }
  })
  scored.sort((a, b) => b.score - a.score || a.passage_id - b.passage_id)
  return withoutTwins(scored).slice(0, limit)
}

/** A wording of the question, with the rarity of its words among the chatbot's passages. */
export interface PreparedWording {
  share: number
  words: QuestionWords
  statistics: WordStatistics
  understood: number
}

export function wordsOfQuestion(text: string): QuestionWords & { compounds: Compounds } {
  const all = analyzeText(text).slice(0, 2 * MAX_TERMS)
  const terms = analyzeQuestion(text).slice(0, MAX_TERMS)
  return { terms, all, compounds: compoundsOf(text) }
}

/** The terms whose rarity must be known before scoring. */
export function termsToCount({ terms, all, compounds }: ReturnType<typeof wordsOfQuestion>) {
  return [...new Set([...terms, ...all, ...[...compounds.values()].flat(2)])]
}

/**
 * `among` holds the words of passages. If given, an unknown word is split only if one sentence has both of its parts.
 */
export function partWords(
  { terms, all, compounds }: ReturnType<typeof wordsOfQuestion>,
  statistics: WordStatistics,
  among?: readonly { words: string }[],
): QuestionWords {
  if (compounds.size === 0) return { terms, all }
  const belongTogether = among ? togetherIn(among) : () => true
  const part = (words: string[]) => partUnknown(words, compounds, statistics, belongTogether)
  return { terms: [...new Set(part(terms))], all: part(all) }
}

/** Scores a passage as an answer. */
export function weighPassage(
  wordings: PreparedWording[],
  { type, text, words, cosines }: Pick<CandidatePassage, 'type' | 'text' | 'words' | 'cosines'>,
): Scored {
  const isPair = type === 'qa'
  const asksAt = isPair ? 0 : askingHeading(text)
  // The heading is the question, and the text under it is the answer.
  const pairWords = words.split('\n').slice(asksAt).join('\n')
  const judged = wordings.map(({ share, words: asked, statistics, understood }, i) => {
    const near = { cosine: cosines[i]!, understood }
    const scored = scoreCandidate(asked, { words, isPair, ...near }, statistics)
    if (asksAt === 0) return { share, ...scored }
    const pair = scoreCandidate(asked, { words: pairWords, isPair: true, ...near }, statistics)
    return {
      share,
      ...scored,
      score: ASKING_SECTION_WEIGHT * pair.score + (1 - ASKING_SECTION_WEIGHT) * scored.score,
    }
  })
  return mixScores(judged)
}

/** Keeps the first of identical passages. */
export function withoutTwins<T extends Pick<CandidatePassage, 'lead' | 'text' | 'type'>>(
  passages: T[],
): T[] {
  const seen = new Set<string>()
  return passages.filter(({ lead, text, type }) => {
    const content = type === 'qa' ? `${lead}\n${text}` : text
    return !seen.has(content) && seen.add(content)
  })
}

async function nameCandidates(
  db: Database,
  chatbotId: string,
  {
    words: { terms },
    statistics,
    vector,
  }: PreparedWording & { vector: QuestionVector | undefined },
): Promise<number[]> {
  const { passages, found } = statistics
  const isTelling = (term: string) =>
    passages <= COMMON_WORD.fewPassages || (found.get(term) ?? 0) <= passages * COMMON_WORD.share
  const telling = terms
    .filter((term) => found.has(term) && isTelling(term))
    .map((term) => ({ term, rarity: rarityOf(term, statistics) }))
  const index = passageIndex(db)
  const named = await Promise.all([
    index.findByWords(db, chatbotId, telling),
    vector ? index.findByMeaning(db, chatbotId, vector, passages) : [],
  ])
  return named.flat()
}
