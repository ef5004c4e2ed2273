import type { Rating } from '@docent/contract/messages.ts'
import type { Channel } from '@docent/contract/visitors.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { holdsAll, isWanted, jsonField } from '../../database/dialect.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'

export interface Conversation {
  id: string
  created_at: number
  modified_at: number
  channel: Channel | null
  messages: number
  first_question: string
  rated_up: number
  rated_down: number
}

interface Held {
  before?: string | undefined
  /** `api` stands for programs, and for the owner in the console. */
  channel?: Channel | 'api' | undefined
  /** Leaves out conversations that ended before this time. */
  from?: number | undefined
  /** Leaves out conversations that began after this time. */
  to?: number | undefined
}

interface Said {
  rating?: Rating | undefined
  /** Each word must occur in the question or the answer. */
  words?: readonly string[] | undefined
}

/** A single message must match both the rating and the words. */
export interface ConversationsWanted extends Held, Said {
  limit: number
}

/** Sessions that a query looks through. Other requests run between two queries. */
const LOOKED_THROUGH = 500

/** Lists sessions with at least one question, newest first. */
export async function listConversations(
  db: Database,
  chatbot: Owned<Chatbot>,
  wanted: ConversationsWanted,
): Promise<Conversation[]> {
  const found: Conversation[] = []
  for await (const some of findConversations(db, chatbot, wanted)) {
    found.push(...some)
    if (found.length >= wanted.limit) break
  }
  return found.slice(0, wanted.limit)
}

/** Yields all matches in batches of at most `limit`. Batches may be empty when words are searched. */
export async function* findConversations(
  db: Database,
  chatbot: Owned<Chatbot>,
  wanted: ConversationsWanted,
): AsyncGenerator<Conversation[], void, undefined> {
  // No index has the words: the search reads every message, newest first.
  const isReading = wanted.words !== undefined && wanted.words.length > 0
  let before = wanted.before
  while (true) {
    const held = { ...wanted, before }
    const last = isReading ? await findLast(db, chatbot, held, LOOKED_THROUGH) : undefined
    const found = await listUntil(db, chatbot, held, last)
    yield found
    before = found.length === wanted.limit ? found.at(-1)!.id : last
    if (before === undefined) return
  }
}

/** The id of the last of `count` sessions, if there are that many. */
async function findLast(
  db: Database,
  chatbot: Owned<Chatbot>,
  held: Held,
  count: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM sessions WHERE ${matchesSession(db, chatbot, held)}
    ORDER BY id DESC LIMIT 1 OFFSET ${count - 1}`.execute(db)
  return rows[0]?.id
}

async function listUntil(
  db: Database,
  chatbot: Owned<Chatbot>,
  { limit, ...wanted }: ConversationsWanted,
  last: string | undefined,
): Promise<Conversation[]> {
  const given = jsonField(db, 'feedback', 'rating')
  // OFFSET 0 makes PostgreSQL check session by session, instead of searching all owners' messages for the words first.
  const asked = sql`SELECT 1 FROM messages
    WHERE session_id = sessions.id AND ${isWanted(db, 'messages')} ${matchesMessage(db, wanted)} LIMIT 1 OFFSET 0`
  const { rows } = await sql<Conversation>`
    SELECT picked.id, picked.created_at, picked.modified_at, visitors.channel, count(*) AS messages,
      (SELECT query FROM messages WHERE session_id = picked.id ORDER BY id LIMIT 1) AS first_question,
      count(*) FILTER (WHERE ${given} = 'up') AS rated_up,
      count(*) FILTER (WHERE ${given} = 'down') AS rated_down
    FROM (
      SELECT * FROM sessions
      WHERE ${matchesSession(db, chatbot, wanted)} ${last === undefined ? sql`` : sql`AND id >= ${last}`}
        AND EXISTS (${asked})
      ORDER BY id DESC LIMIT ${limit}
    ) AS picked
    JOIN messages ON messages.session_id = picked.id
    LEFT JOIN visitors ON visitors.session_id = picked.id
    GROUP BY picked.id, picked.created_at, picked.modified_at, visitors.channel ORDER BY picked.id DESC`.execute(
    db,
  )
  return rows
}

function matchesSession(
  db: Database,
  chatbot: Owned<Chatbot>,
  { before, channel, from, to }: Held,
): RawBuilder<unknown> {
  const visited = sql`SELECT channel FROM visitors WHERE session_id = sessions.id`
  return sql`chatbot_id = ${chatbot.id} AND ${isWanted(db, 'sessions')}
    ${before === undefined ? sql`` : sql`AND id < ${before}`}
    ${from === undefined ? sql`` : sql`AND modified_at >= ${from}`}
    ${to === undefined ? sql`` : sql`AND created_at <= ${to}`}
    ${channel === undefined ? sql`` : sql`AND coalesce((${visited}), 'api') = ${channel}`}`
}

function matchesMessage(db: Database, { rating, words = [] }: Said): RawBuilder<unknown> {
  return sql`
    ${rating === undefined ? sql`` : sql`AND ${jsonField(db, 'feedback', 'rating')} = ${rating}`}
    ${words.length === 0 ? sql`` : sql`AND ${holdsAll(db, ['query', 'response'], words)}`}`
}
