import type { Channel } from '@docent/contract/visitors.ts'
import type { Database } from '../../database/database.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import { GROWN, type Message } from '../messages/messages.store.ts'
import {
  type Conversation,
  type ConversationsWanted,
  findConversations,
} from './conversations.store.ts'

/** A message with the channel of its conversation. */
export interface ExportableMessage extends Message {
  channel: Channel | null
}

/** Limits what is in memory at a time. */
const AT_ONCE = 100

/**
 * Yields all messages of the matching conversations in batches: newest conversation first, each from its beginning.
 * Every batch is a separate query, so nothing is held while a slow reader pauses. A batch may be empty.
 */
export async function* readConversations(
  db: Database,
  chatbot: Owned<Chatbot>,
  wanted: Omit<ConversationsWanted, 'limit' | 'before'>,
): AsyncGenerator<ExportableMessage[], void, undefined> {
  for await (const found of findConversations(db, chatbot, { ...wanted, limit: AT_ONCE })) {
    if (found.length === 0) yield []
    for (const group of groupByLength(found)) yield* readGroup(db, group)
  }
}

/** Groups conversations with at most `AT_ONCE` messages in all. A longer conversation is a group of its own. */
function groupByLength(conversations: Conversation[]): Conversation[][] {
  const groups: Conversation[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const conversation of conversations) {
    length += conversation.messages
    if (length <= AT_ONCE) groups.at(-1)!.push(conversation)
    else {
      groups.push([conversation])
      length = conversation.messages
    }
  }
  return groups
}

async function* readGroup(
  db: Database,
  group: Conversation[],
): AsyncGenerator<ExportableMessage[], void, undefined> {
  const channels = new Map(group.map(({ id, channel }) => [id, channel]))
  const isLong = group.length === 1
  let after: string | undefined
  do {
    const messages = await listSaid(db, [...channels.keys()], isLong ? { after } : undefined)
    yield messages.map((message) => ({ ...message, channel: channels.get(message.session_id)! }))
    after = messages.length === AT_ONCE ? messages.at(-1)!.id : undefined
  } while (isLong && after !== undefined)
}

/** Reads all messages of several sessions, or a page of a single session. */
function listSaid(
  db: Database,
  sessions: string[],
  page: { after: string | undefined } | undefined,
): Promise<Message[]> {
  return db
    .selectFrom('messages')
    .selectAll()
    .select(GROWN)
    .where('session_id', 'in', sessions)
    .$if(page !== undefined, (query) => query.limit(AT_ONCE))
    .$if(page?.after !== undefined, (query) => query.where('id', '>', page!.after!))
    .orderBy('session_id', 'desc')
    .orderBy('id')
    .execute()
}
