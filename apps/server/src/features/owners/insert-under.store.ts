import type { CompiledQuery } from 'kysely'
import { type Database, runTogether } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { notFound } from '../../errors.ts'
import { whileVisible } from './deleted-chatbots.store.ts'

/** Stores rows under a chatbot, unless it was deleted since it was looked up: an upload takes time. */
export async function insertUnder(
  db: Database,
  chatbotId: string,
  inserts: CompiledQuery[],
): Promise<void> {
  const statements = inserts.map((query) => ({ query }))
  try {
    const isThere = await runTogether(db, [whileVisible(db, chatbotId), ...statements])
    if (!isThere) throw notFound('chatbot')
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('chatbot')
    throw error
  }
}
