import type { FastifyBaseLogger } from 'fastify'
import { type Database, runBesideData } from '../database/database.ts'
import type { Evidence } from './combine-scores.ts'
import type { Embeddings } from './embeddings.ts'
import type { Wordings } from './follow-up.ts'
import type { CandidatePassage } from './passage-index.ts'
import { readingStep } from './rank-passages.ts'
import { countPassages } from './search-words.ts'

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
  db: Database
  searchDb: Database
  embeddings: Embeddings
  log: FastifyBaseLogger
}

export interface SearchOptions {
  limit?: number
  /** Of no more passages than that, all are found, and words alone say in which order. */
  enough?: number
}

const FOUND = 20

/** The passages that may hold the answer, best first. Identical passages appear once. */
export async function findPassages(
  { db, searchDb, embeddings, log }: Search,
  chatbotId: string,
  question: string | Wordings,
  { limit = FOUND, enough = 0 }: SearchOptions = {},
): Promise<FoundPassage[]> {
  const [counted] = await countPassages.read(db, chatbotId)
  if (!counted?.passages) return []
  const wordings = typeof question === 'string' ? [{ text: question, share: 1 }] : question
  const all = counted.passages <= enough
  const embedded = wordings.map(async (wording) => {
    if (all) return { ...wording, vector: undefined }
    const vector = await embeddings.embedQuestion(wording.text).catch((error) => {
      log.warn({ err: error }, 'searching by words alone')
      return undefined
    })
    return { ...wording, vector }
  })
  const asked = { chatbotId, wordings: await Promise.all(embedded), limit, all }
  return runBesideData(searchDb, readingStep, asked)
}
