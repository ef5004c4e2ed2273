import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { SourceType } from '../database/tables.ts'
import { cosine } from '../models/embedding/vectors.ts'
import { analyzeQuestion, analyzeText } from './analyze-text.ts'
import {
  type Evidence,
  mixScores,
  type QuestionWords,
  type Scored,
  scoreCandidate,
  type WordStatistics,
} from './combine-scores.ts'
import type { Embeddings, QuestionVector } from './embeddings.ts'
import type { Wordings } from './follow-up.ts'
import { findByWords, readStatistics } from './search-words.ts'
import { findBySigns } from './vector-index.ts'

export interface FoundPassage {
  passage_id: number
  source_id: string
  revision: string
  build: string
  position: number
  /** How many passages it was joined from, and where each begins in its text. */
  count: number
  partStarts: number[]
  starts_at: number
  ends_at: number
  /** The blanks between it and the passage before it. */
  gap: string
  /** Its document's title and headings, or a pair's question. */
  lead: string
  text: string
  page: number | null
  title: string
  type: SourceType
  file_name: string
  meta: string
  /** Empty unless the source is a whole site. */
  page_url: string
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
  const candidates = await readCandidates(search, chatbotId, ids, prepared[0]!.vector)
  const scored = candidates.map(({ words, vector: stored, ...passage }) => {
    const judged = prepared.map(({ share, words: asked, statistics, vector }) => {
      const candidate = {
        words,
        isPair: passage.type === 'qa',
        cosine: vector && stored ? cosine(vector.vector, stored) : 0,
      }
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
    readStatistics(searchDb, chatbotId, [...new Set([...terms, ...all])]),
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
  { words: { terms }, statistics: { passages, found }, vector }: PreparedWording,
): Promise<number[]> {
  const isTelling = (term: string) =>
    passages <= FEW_PASSAGES || (found.get(term) ?? 0) <= passages * MAX_SHARE
  const telling = terms.filter((term) => found.has(term) && isTelling(term))
  const named = await Promise.all([
    findByWords(searchDb, chatbotId, telling, CANDIDATES_BY_WORDS),
    vector
      ? findBySigns(searchDb, vector.embedder, chatbotId, vector.signs, CANDIDATES_BY_MEANING)
      : [],
  ])
  return named.flat()
}

type Row = Omit<FoundPassage, keyof Scored | 'count' | 'partStarts'> & {
  words: string
  vector: Uint8Array | null
}

async function readCandidates(
  { searchDb }: Search,
  chatbotId: string,
  ids: number[],
  vector: QuestionVector | undefined,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT passages.id AS passage_id, passages.source_id, passages.revision, build, position, starts_at, ends_at, gap,
      lead, text, words, page, coalesce(source_pages.title, sources.title) AS title, sources.type, sources.file_name,
      sources.meta, passages.page_url, passage_vectors.vector
    FROM json_each(${JSON.stringify(ids)}) AS given
    CROSS JOIN passages ON passages.id = given.value
    JOIN sources ON sources.id = passages.source_id
    LEFT JOIN source_pages ON source_pages.source_id = passages.source_id AND source_pages.url = passages.page_url
    LEFT JOIN passage_vectors ON passage_vectors.passage_id = passages.id
      AND passage_vectors.embedder_id = ${vector?.embedder.id ?? null}
    WHERE passages.chatbot_id = ${chatbotId}
      AND NOT EXISTS (SELECT 1 FROM hidden_builds WHERE hidden_builds.build = passages.build)
  `.execute(searchDb)
  return rows
}
