import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../database/database.ts'
import { analyzeQuestion, analyzeText } from './analyze-text.ts'
import {
  type Evidence,
  mixScores,
  type QuestionWords,
  rarityOf,
  scoreCandidate,
  type WordStatistics,
} from './combine-scores.ts'
import type { Embeddings, QuestionVector } from './embeddings.ts'
import type { Wordings } from './follow-up.ts'
import { type CandidatePassage, passageIndex } from './passage-index.ts'

export interface FoundPassage extends Omit<CandidatePassage, 'words' | 'cosines'> {
  /** How many passages it was joined from, and where each begins in its text. */
  count: number
  partStarts: number[]
  /** What an answer quotes of it, where that is not all. The range is then that of the quote. */
  quote?: string
  /** Higher is better. */
  score: number
  evidence: Evidence
  /** For each of its sentences, the share of the question's words that it has, by their rarity. */
  sentenceCoverage: number[]
}

export interface Search {
  searchDb: Database
  embeddings: Embeddings
  log: FastifyBaseLogger
}

const CANDIDATES_BY_WORDS = 50
const CANDIDATES_BY_MEANING = 50
const FOUND = 20
// Beyond this, more words of a pasted text find nothing better and only cost time.
const MAX_TERMS = 64
// A word that stands in more of the passages than this does not lead to any of them.
const MAX_SHARE = 0.2
const FEW_PASSAGES = 200

/**
 * The passages that may hold the answer, best first. Words and meaning each name candidates; every candidate is then
 * judged by both, for every wording of the question. Identical passages appear once.
 */
export async function findPassages(
  search: Search,
  chatbotId: string,
  question: string | Wordings,
  limit = FOUND,
): Promise<FoundPassage[]> {
  const wordings = typeof question === 'string' ? [{ text: question, share: 1 }] : question
  const prepared = await Promise.all(
    wordings.map((wording) => prepareWording(search, chatbotId, wording)),
  )
  if (prepared[0]!.statistics.passages === 0) return []
  const named = await Promise.all(
    prepared.map((wording) => nameCandidates(search, chatbotId, wording)),
  )
  const ids = [...new Set(named.flat())]
  const vectors = prepared.map(({ vector }) => vector)
  const { searchDb } = search
  const candidates = await passageIndex(searchDb).readCandidates(searchDb, chatbotId, ids, vectors)
  const scored = candidates.map(({ words, cosines, ...passage }) => {
    const judged = prepared.map(({ share, words: asked, statistics }, i) => {
      const candidate = { words, isPair: passage.type === 'qa', cosine: cosines[i]! }
      return { share, ...scoreCandidate(asked, candidate, statistics) }
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

interface PreparedWording {
  share: number
  words: QuestionWords
  statistics: WordStatistics
  vector: QuestionVector | undefined
}

async function prepareWording(
  { searchDb, embeddings, log }: Search,
  chatbotId: string,
  { text, share }: Wordings[number],
): Promise<PreparedWording> {
  const all = analyzeText(text).slice(0, 2 * MAX_TERMS)
  const terms = analyzeQuestion(text).slice(0, MAX_TERMS)
  const [statistics, vector] = await Promise.all([
    passageIndex(searchDb).readStatistics(searchDb, chatbotId, [...new Set([...terms, ...all])]),
    embeddings.embedQuestion(text).catch((error) => {
      log.warn({ err: error }, 'searching by words alone')
      return undefined
    }),
  ])
  return { share, words: { terms, all }, statistics, vector }
}

async function nameCandidates(
  { searchDb }: Search,
  chatbotId: string,
  { words: { terms }, statistics, vector }: PreparedWording,
): Promise<number[]> {
  const { passages, found } = statistics
  const isTelling = (term: string) =>
    passages <= FEW_PASSAGES || (found.get(term) ?? 0) <= passages * MAX_SHARE
  const telling = terms
    .filter((term) => found.has(term) && isTelling(term))
    .map((term) => ({ term, rarity: rarityOf(term, statistics) }))
  const index = passageIndex(searchDb)
  const named = await Promise.all([
    index.findByWords(searchDb, chatbotId, telling, CANDIDATES_BY_WORDS),
    vector ? index.findByMeaning(searchDb, chatbotId, vector, CANDIDATES_BY_MEANING) : [],
  ])
  return named.flat()
}
