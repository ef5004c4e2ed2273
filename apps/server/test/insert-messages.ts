import type { Database } from '../src/database/database.ts'
import { newId } from '../src/database/rows/ids.ts'

interface Said {
  query?: string
  response?: string
}

/** Inserts finished messages without asking. Returns their uuids, oldest first. */
export async function insertMessages(
  db: Database,
  sessionId: string,
  count: number,
  { query = 'When?', response = 'Now.' }: Said = {},
): Promise<string[]> {
  const now = Date.now()
  const messages = Array.from({ length: count }, () => ({
    id: newId(),
    session_id: sessionId,
    query,
    response,
    finish_reason: 'stop' as const,
    created_at: now,
    modified_at: now,
  }))
  for (let from = 0; from < count; from += 500)
    await db
      .insertInto('messages')
      .values(messages.slice(from, from + 500))
      .execute()
  return messages.map(({ id }) => id)
}

export async function insertSessions(
  db: Database,
  chatbotId: string,
  count: number,
): Promise<string[]> {
  const now = Date.now()
  const sessions = Array.from({ length: count }, () => ({
    id: newId(),
    chatbot_id: chatbotId,
    created_at: now,
    modified_at: now,
  }))
  for (let from = 0; from < count; from += 1_000)
    await db
      .insertInto('sessions')
      .values(sessions.slice(from, from + 1_000))
      .execute()
  return sessions.map(({ id }) => id)
}
