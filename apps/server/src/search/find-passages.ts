import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Database, runInSearchThread } from '../database/database.ts'
import type { Chatbot } from '../features/chatbots/chatbots.store.ts'
import type { FairQueue } from '../sharing/fair-queue.ts'
import { countPassages } from './index/word-index.ts'
import { readingStep } from './rank-passages.ts'
import type { Embeddings } from './vectors/embeddings.ts'

export interface Search {
  db: Database
  searchDb: Database
  /** Owners take turns searching. */
  searches: FairQueue
  embeddings: Embeddings
  log: FastifyBaseLogger
}

export type SearchedChatbot = Pick<Chatbot, 'id' | 'owner_id'>

const FOUND = 20

/** The passages that may hold the answer, best first. Identical passages appear once. */
export async function findPassages(
  { db, searchDb, searches, embeddings, log }: Search,
  { id: chatbotId, owner_id }: SearchedChatbot,
  question: string | Wordings,
  { limit = FOUND }: { limit?: number } = {},
): Promise<FoundPassage[]> {
  const [counted] = await countPassages.read(db, chatbotId)
  if (!counted?.passages) return []
  const wordings = typeof question === 'string' ? [{ text: question, share: 1 }] : question
  const embedded = wordings.map(async (wording) => {
    const vector = await embeddings.embedQuestion(wording.text, owner_id).catch((error) => {
      log.warn({ err: error }, 'searching by words alone')
      return undefined
    })
    return { ...wording, vector }
  })
  const asked = { chatbotId, wordings: await Promise.all(embedded), limit }
  return searches.run(owner_id, () => runInSearchThread(searchDb, readingStep, asked))
}
