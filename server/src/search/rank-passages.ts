import type { Database, ReadingStep } from '../database/database.ts'
import { prepareQuery } from '../database/prepare-query.ts'
import { analyzeQuestion, analyzeText } from './analyze-text.ts'
import { askingHeading } from './asking-section.ts'
import {
  mixScores,
  type QuestionWords,
  rarityOf,
  scoreCandidate,
  type WordStatistics,
} from './combine-scores.ts'
import type { QuestionVector } from './embeddings.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Wordings } from './follow-up.ts'
import { passageIndex } from './passage-index.ts'

/** A question as it is put to the index. */
export interface AskedQuestion {
  chatbotId: string
  /** Without a vector, words alone lead to passages. */
  wordings: (Wordings[number] & { vector: QuestionVector | undefined })[]
  limit: number
  /** There are few passages, and each is a candidate. */
  all: boolean
}

// Beyond this, more words of a pasted text find nothing better and only cost time.
const MAX_TERMS = 64
// A word that stands in more of the passages than this does not lead to any of them.
const MAX_SHARE = 0.2
const FEW_PASSAGES = 200
// A section whose heading asks is told from others as pairs are, mostly: it may have been written to be read as a whole.
const AS_PAIR = 0.7

/** Reading and weighing a hundred candidates takes milliseconds, which other requests need not wait for. */
export const readingStep: ReadingStep<AskedQuestion, FoundPassage[]> = {
  module: import.meta.url,
  run: rankPassages,
}

/**
 * Words and meaning each name candidates; every candidate is then judged by both, for every wording of the question.
 * The best first, identical ones once.
 */
async function rankPassages(
  db: Database,
  { chatbotId, wordings, limit, all }: AskedQuestion,
): Promise<FoundPassage[]> {
  const prepared = await Promise.all(
    wordings.map((wording) => prepareWording(db, chatbotId, wording)),
  )
  if (prepared[0]!.statistics.passages === 0) return []
  const named = all
    ? (await listPassages.read(db, chatbotId)).map(({ id }) => id)
    : await Promise.all(prepared.map((wording) => nameCandidates(db, chatbotId, wording)))
  const ids = [...new Set(named.flat())]
  const vectors = prepared.map(({ vector }) => vector)
  const candidates = await passageIndex(db).readCandidates(db, chatbotId, ids, vectors)
  const scored = candidates.map(({ words, cosines, ...passage }) => {
    const isPair = passage.type === 'qa'
    const asksAt = isPair ? 0 : askingHeading(passage.text)
    // Its heading is the question, and what stands under it the answer.
    const pairWords = words.split('\n').slice(asksAt).join('\n')
    const judged = prepared.map(({ share, words: asked, statistics }, i) => {
      const cosine = cosines[i]!
      const scored = scoreCandidate(asked, { words, isPair, cosine }, statistics)
      if (asksAt === 0) return { share, ...scored }
      const pair = scoreCandidate(asked, { words: pairWords, isPair: true, cosine }, statistics)
      return { share, ...scored, score: AS_PAIR * pair.score + (1 - AS_PAIR) * scored.score }
    })
    return { ...passage, count: 1, partStarts: [0], ...mixScores(judged) }
  })
  scored.sort((a, b) => b.score - a.score || a.passage_id - b.passage_id)
  const seen = new Set<string>()
  const distinct = scored.filter(({ lead, text, type }) => {
    const content = type === 'qa' ? `${lead}\n${text}` : text
    return !seen.has(content) && seen.add(content)
  })
  return distinct.slice(0, limit)
}

const listPassages = prepareQuery((db, chatbotId: string) =>
  db
    .selectFrom('sources')
    .innerJoin('passages', 'passages.source_id', 'sources.id')
    .select('passages.id')
    .where('sources.chatbot_id', '=', chatbotId),
)

interface PreparedWording {
  share: number
  words: QuestionWords
  statistics: WordStatistics
  vector: QuestionVector | undefined
}

async function prepareWording(
  db: Database,
  chatbotId: string,
  { text, share, vector }: AskedQuestion['wordings'][number],
): Promise<PreparedWording> {
  const all = analyzeText(text).slice(0, 2 * MAX_TERMS)
  const terms = analyzeQuestion(text).slice(0, MAX_TERMS)
  const words = [...new Set([...terms, ...all])]
  const statistics = await passageIndex(db).readStatistics(db, chatbotId, words)
  return { share, words: { terms, all }, statistics, vector }
}

async function nameCandidates(
  db: Database,
  chatbotId: string,
  { words: { terms }, statistics, vector }: PreparedWording,
): Promise<number[]> {
  const { passages, found } = statistics
  const isTelling = (term: string) =>
    passages <= FEW_PASSAGES || (found.get(term) ?? 0) <= passages * MAX_SHARE
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
