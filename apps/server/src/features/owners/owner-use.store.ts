import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isWanted } from '../../database/dialect.ts'

export interface OwnerUse {
  chatbots: number
  sources: number
  sessions: number
  messages: number
  /** Bytes of uploaded files, source texts and conversations. */
  bytes: number
}

const octets = (column: string) => sql<number>`octet_length(${sql.ref(column)})`

/**
 * Reads every row of the owner but no content: both stores know the length of a text without reading it. A million rows
 * still take a second, so pass a handle that delays no other queries.
 */
export async function measureUse(db: Database, ownerId: string): Promise<OwnerUse> {
  const { countAll } = db.fn
  const total = (size: ReturnType<typeof octets>) => sql<number>`coalesce(sum(${size}), 0)`
  const owned = db.selectFrom('chatbots').where('chatbots.owner_id', '=', ownerId)
  const sources = owned
    .innerJoin('sources', 'sources.chatbot_id', 'chatbots.id')
    .where(isWanted(db, 'sources'))
  const sessions = owned
    .innerJoin('sessions', 'sessions.chatbot_id', 'chatbots.id')
    .where(isWanted(db, 'sessions'))

  const { chatbots } = await owned
    .select(countAll<number>().as('chatbots'))
    .executeTakeFirstOrThrow()
  const ofSources = await sources
    .select([
      countAll<number>().as('count'),
      // The content of fetched pages is not kept, so only uploads count with their file size.
      total(sql`${octets('sources.meta')}
        + CASE WHEN sources.type = 'upload' THEN sources.file_size ELSE 0 END`).as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const ofTexts = await sources
    .innerJoin('revisions', 'revisions.source_id', 'sources.id')
    .select(total(octets('revisions.text')).as('bytes'))
    .executeTakeFirstOrThrow()
  const ofPieces = await sources
    .innerJoin('revision_pieces', 'revision_pieces.source_id', 'sources.id')
    .where(isWanted(db, 'revision_pieces'))
    .select(total(octets('revision_pieces.packed')).as('bytes'))
    .executeTakeFirstOrThrow()
  const ofSessions = await sessions.select(countAll<number>().as('count')).executeTakeFirstOrThrow()
  const ofMessages = await sessions
    .innerJoin('messages', 'messages.session_id', 'sessions.id')
    .where(isWanted(db, 'messages'))
    .select([
      countAll<number>().as('count'),
      total(sql`${octets('messages.query')} + ${octets('messages.response')}
        + ${octets('messages.citations')} + ${octets('messages.meta')}`).as('bytes'),
    ])
    .executeTakeFirstOrThrow()

  const bytes = [ofSources, ofTexts, ofPieces, ofMessages]
  return {
    chatbots: Number(chatbots),
    sources: Number(ofSources.count),
    sessions: Number(ofSessions.count),
    messages: Number(ofMessages.count),
    // PostgreSQL returns sums as strings.
    bytes: bytes.reduce((sum, { bytes }) => sum + Number(bytes), 0),
  }
}

export function rowsOf({ chatbots, sources, sessions, messages }: OwnerUse): number {
  return chatbots + sources + sessions + messages
}
