import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isWanted, jsonArrayOf, jsonField, jsonIsFalse } from '../../database/dialect.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import type { Message } from '../messages/messages.store.ts'

export interface UnansweredQuestion {
  question: string
  count: number
  last_asked_at: number
  /** The newest session with this question. */
  session_id: string
  /** A JSON array of message ids. */
  ids: string
}

const MOST_UNANSWERED = 200

/** Lists questions without an answer and questions whose answer was rated down, most frequent first. */
export async function listUnanswered(
  db: Database,
  chatbot: Owned<Chatbot>,
): Promise<UnansweredQuestion[]> {
  const { rows } = await sql<UnansweredQuestion>`
    SELECT max(query) AS question, count(*) AS count, max(messages.created_at) AS last_asked_at,
      max(session_id) AS session_id,
      ${jsonArrayOf(db, 'messages.id')} AS ids
    FROM sessions JOIN messages ON messages.session_id = sessions.id
    WHERE chatbot_id = ${chatbot.id} AND ${isWanted(db, 'messages')}
      AND (${jsonIsFalse(db, 'meta', 'answered')} OR ${jsonField(db, 'feedback', 'rating')} = 'down')
      AND NOT EXISTS (SELECT 1 FROM settled_questions WHERE message_id = messages.id)
    GROUP BY lower(trim(query))
    ORDER BY count DESC, last_asked_at DESC LIMIT ${MOST_UNANSWERED}`.execute(db)
  return rows
}

export async function settleQuestions(db: Database, messages: Owned<Message>[]): Promise<void> {
  const now = Date.now()
  await db
    .insertInto('settled_questions')
    .values(messages.map(({ id }) => ({ message_id: id, settled_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function unsettleQuestions(db: Database, messages: Owned<Message>[]): Promise<void> {
  const ids = messages.map(({ id }) => id)
  await db.deleteFrom('settled_questions').where('message_id', 'in', ids).execute()
}
