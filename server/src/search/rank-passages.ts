import { sql } from 'kysely'
import type { Database, ReadingStep } from '../database/database.ts'
import { prepareQuery } from '../database/prepare-query.ts'
import { cosine } from '../models/embedding/vectors.ts'
import { analyzeQuestion, analyzeText } from './analyze-text.ts'
import {
  mixScores,
  type QuestionWords,
  type Scored,
  scoreCandidate,
  type WordStatistics,
} from './combine-scores.ts'
import type { QuestionVector } from './embeddings.ts'
import type { FoundPassage } from './find-passages.ts'
import type { Wordings } from './follow-up.ts'
import { findByWords, readStatistics } from './search-words.ts'
import { findBySigns } from './vector-index.ts'

/** A question as it is put to the index. */
export interface AskedQuestion {
  chatbotId: string
  /** Without a vector, words alone lead to passages. */
  wordings: (Wordings[number] & { vector: QuestionVector | undefined })[]
  limit: number
}

const CANDIDATES_BY_WORDS = 50
const CANDIDATES_BY_MEANING = 50
// Beyond this, more words of a pasted text find nothing better and only cost time.
const MAX_TERMS = 64
// A word that stands in more of the passages than this does not lead to any of them.
const MAX_SHARE = 0.2
const FEW_PASSAGES = 200

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
  { chatbotId, wordings, limit }: AskedQuestion,
): Promise<FoundPassage[]> {
  const prepared = await Promise.all(
    wordings.map((wording) => prepareWording(db, chatbotId, wording)),
  )
  if (prepared[0]!.statistics.passages === 0) return []
  const named = await Promise.all(prepared.map((wording) => nameCandidates(db, chatbotId, wording)))
  const ids = [...new Set(named.flat())]
  const embedder = prepared[0]!.vector?.embedder.id ?? null
  const candidates = await findCandidates.read(db, JSON.stringify(ids), embedder, chatbotId)
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
  db: Database,
  chatbotId: string,
  { text, share, vector }: AskedQuestion['wordings'][number],
): Promise<PreparedWording> {
  const all = analyzeText(text).slice(0, 2 * MAX_TERMS)
  const terms = analyzeQuestion(text).slice(0, MAX_TERMS)
  const statistics = await readStatistics(db, chatbotId, [...new Set([...terms, ...all])])
  return { share, words: { terms, all }, statistics, vector }
}

async function nameCandidates(
  db: Database,
  chatbotId: string,
  { words: { terms }, statistics: { passages, found }, vector }: PreparedWording,
): Promise<number[]> {
  const isTelling = (term: string) =>
    passages <= FEW_PASSAGES || (found.get(term) ?? 0) <= passages * MAX_SHARE
  const telling = terms.filter((term) => found.has(term) && isTelling(term))
  const named = await Promise.all([
    findByWords(db, chatbotId, telling, CANDIDATES_BY_WORDS),
    vector ? findBySigns(db, vector.embedder, chatbotId, vector.signs, CANDIDATES_BY_MEANING) : [],
  ])
  return named.flat()
}

type Row = Omit<FoundPassage, keyof Scored | 'count' | 'partStarts'> & {
  words: string
  vector: Uint8Array | null
}

const findCandidates = prepareQuery(
  (db, ids: string, embedderId: number | null, chatbotId: string) => ({
    compile: () =>
      sql<Row>`
        SELECT passages.id AS passage_id, passages.source_id, passages.revision, build, position, starts_at, ends_at,
          gap, lead, text, words, page, coalesce(source_pages.title, sources.title) AS title, sources.type,
          sources.file_name, sources.meta, passages.page_url, passage_vectors.vector
        FROM json_each(${ids}) AS given
        CROSS JOIN passages ON passages.id = given.value
        JOIN sources ON sources.id = passages.source_id
        LEFT JOIN source_pages
          ON source_pages.source_id = passages.source_id AND source_pages.url = passages.page_url
        LEFT JOIN passage_vectors ON passage_vectors.passage_id = passages.id
          AND passage_vectors.embedder_id = ${embedderId}
        WHERE passages.chatbot_id = ${chatbotId}
          AND NOT EXISTS (SELECT 1 FROM hidden_builds WHERE hidden_builds.build = passages.build)`.compile(
        db,
      ),
  }),
)
