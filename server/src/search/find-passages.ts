import type { FastifyBaseLogger } from 'fastify'
import { type Database, runBesideData } from '../database/database.ts'
import type { SourceType } from '../database/tables.ts'
import type { Evidence } from './combine-scores.ts'
import type { Embeddings } from './embeddings.ts'
import type { Wordings } from './follow-up.ts'
import { readingStep } from './rank-passages.ts'
import { countPassages } from './search-words.ts'

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
  db: Database
  searchDb: Database
  embeddings: Embeddings
  log: FastifyBaseLogger
}

const FOUND = 20

/** The passages that may hold the answer, best first. Identical passages appear once. */
export async function findPassages(
  { db, searchDb, embeddings, log }: Search,
  chatbotId: string,
  question: string | Wordings,
  limit = FOUND,
): Promise<FoundPassage[]> {
  const [counted] = await countPassages.read(db, chatbotId)
  if (!counted?.passages) return []
  const wordings = typeof question === 'string' ? [{ text: question, share: 1 }] : question
  const embedded = wordings.map(async (wording) => {
    const vector = await embeddings.embedQuestion(wording.text).catch((error) => {
      log.warn({ err: error }, 'searching by words alone')
      return undefined
    })
    return { ...wording, vector }
  })
  const asked = { chatbotId, wordings: await Promise.all(embedded), limit }
  return runBesideData(searchDb, readingStep, asked)
}
