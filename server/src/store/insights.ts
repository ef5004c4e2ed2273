import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { dayOf, jsonArrayOf, jsonField, jsonIsFalse, jsonNumber } from '../database/dialect.ts'
import type { Chatbot } from './chatbots.ts'
import type { Message } from './messages.ts'
import type { Owned } from './owned.ts'

export interface UnansweredQuestion {
  question: string
  count: number
  last_asked_at: number
  /** The newest of those in which it was asked. */
  session_id: string
  /** JSON: the ids of its messages. */
  ids: string
}

const MOST_UNANSWERED = 200

/** Questions that the sources did not answer, or whose answer was rated down; the most frequent first. */
export async function listUnanswered(
  db: Database,
  chatbot: Owned<Chatbot>,
): Promise<UnansweredQuestion[]> {
  const { rows } = await sql<UnansweredQuestion>`
    SELECT max(query) AS question, count(*) AS count, max(messages.created_at) AS last_asked_at,
      max(session_id) AS session_id,
      ${jsonArrayOf(db, 'messages.id')} AS ids
    FROM sessions JOIN messages ON messages.session_id = sessions.id
    WHERE chatbot_id = ${chatbot.id}
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

export interface DayOfUse {
  date: string
  messages: number
  answered: number
  sessions: number
  rated_up: number
  rated_down: number
  tokens: number
  /** Milliseconds to the first text: of half the answers, and of nineteen in twenty. */
  first_text_p50: number | null
  first_text_p95: number | null
}

/** Day by day, the days on which something was asked. They begin so many milliseconds before those of UTC. */
export async function listUse(
  db: Database,
  chatbot: Owned<Chatbot>,
  since: number,
  aheadOfUtc: number,
): Promise<DayOfUse[]> {
  const { rows } = await sql<DayOfUse>`
    WITH asked AS (
      SELECT ${dayOf(db, 'messages.created_at', aheadOfUtc)} AS date, session_id,
        ${jsonField(db, 'feedback', 'rating')} AS rating,
        finish_reason IN ('stop', 'length') AND NOT ${jsonIsFalse(db, 'meta', 'answered')} AS answered,
        ${jsonNumber(db, 'meta', 'actual_token_distribution', 'total_tokens')} AS tokens,
        ${jsonNumber(db, 'meta', 'timings_ms', 'first_text')} AS first_text
      FROM sessions JOIN messages ON messages.session_id = sessions.id
      WHERE chatbot_id = ${chatbot.id} AND messages.created_at >= ${since}
    ), ranked AS (
      SELECT *, count(first_text) OVER (PARTITION BY date) AS timed,
        row_number() OVER (PARTITION BY date ORDER BY first_text IS NULL, first_text) AS place
      FROM asked
    )
    SELECT date, count(*) AS messages, count(*) FILTER (WHERE answered) AS answered,
      count(DISTINCT session_id) AS sessions,
      count(*) FILTER (WHERE rating = 'up') AS rated_up,
      count(*) FILTER (WHERE rating = 'down') AS rated_down,
      coalesce(sum(tokens), 0) AS tokens,
      max(CASE WHEN place = (timed + 1) / 2 THEN first_text END) AS first_text_p50,
      max(CASE WHEN place = (timed * 95 + 99) / 100 THEN first_text END) AS first_text_p95
    FROM ranked GROUP BY date ORDER BY date`.execute(db)
  return rows
}
