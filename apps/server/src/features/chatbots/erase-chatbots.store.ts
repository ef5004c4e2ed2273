import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isPostgres, listOf } from '../../database/dialect.ts'
import { hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import {
  DELIVERIES,
  eraseRows,
  MESSAGES,
  OF_SOURCES,
  ROWS_AT_ONCE,
  WORD_COUNTS,
  withPause,
} from '../owners/erase-rows.store.ts'

/** The tables under a chatbot, with their child tables. */
const PARENTS = [
  { table: 'sessions', children: [MESSAGES] },
  { table: 'sources', children: OF_SOURCES },
  { table: 'webhooks', children: [DELIVERIES] },
] as const

export async function hasHiddenChatbots(db: Database): Promise<boolean> {
  return (await hiddenChatbots(db).limit(1).execute()).length > 0
}

/**
 * Erases deleted chatbots in small writes and returns how many there were. After a crash, the next run continues where
 * this run stopped.
 */
export async function eraseHiddenChatbots(db: Database, stopping?: AbortSignal): Promise<number> {
  const erased = new Set<string>()
  while (!stopping?.aborted) {
    const [chatbot] = await hiddenChatbots(db).limit(1).execute()
    if (!chatbot) break
    const isErased = await withPause(() => eraseSome(db, chatbot.id), stopping)
    if (isErased) erased.add(chatbot.id)
  }
  return erased.size
}

/** Erases some rows. Returns true once nothing of the chatbot is left. */
async function eraseSome(db: Database, chatbotId: string): Promise<boolean> {
  if (isPostgres(db) && (await eraseRows(db, WORD_COUNTS, [chatbotId]))) return false
  for (const { table, children } of PARENTS) {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ${sql.table(table)} WHERE chatbot_id = ${chatbotId}
      ORDER BY id LIMIT ${sql.lit(ROWS_AT_ONCE)}`.execute(db)
    if (rows.length === 0) continue
    const ids = rows.map(({ id }) => id)
    for (const child of children) if (await eraseRows(db, child, ids)) return false
    await sql`DELETE FROM ${sql.table(table)} WHERE id IN ${listOf(db, ids)}`.execute(db)
    return false
  }
  await db.deleteFrom('chatbots').where('id', '=', chatbotId).execute()
  return true
}
