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

/** A message, and where its conversation was held. */
export interface SaidMessage extends Message {
  channel: Channel | null
}

/** So many are in memory at a time. */
const AT_ONCE = 100

/**
 * All messages of conversations, the newest conversation first and each from its beginning, some at a time. Every part is
 * a query of its own, so that nothing is held while nobody takes the next; a part may be empty.
 */
export async function* readConversations(
  db: Database,
  chatbot: Owned<Chatbot>,
  wanted: Omit<ConversationsWanted, 'limit' | 'before'>,
): AsyncGenerator<SaidMessage[], void, undefined> {
  for await (const found of findConversations(db, chatbot, { ...wanted, limit: AT_ONCE })) {
    if (found.length === 0) yield []
    for (const group of groupByLength(found)) yield* readGroup(db, group)
  }
}

/** As many as have so many messages together, or one by itself. */
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
): AsyncGenerator<SaidMessage[], void, undefined> {
  const channels = new Map(group.map(({ id, channel }) => [id, channel]))
  const isLong = group.length === 1
  let after: string | undefined
  do {
    const messages = await listSaid(db, [...channels.keys()], isLong ? { after } : undefined)
    yield messages.map((message) => ({ ...message, channel: channels.get(message.session_id)! }))
    after = messages.length === AT_ONCE ? messages.at(-1)!.id : undefined
  } while (isLong && after !== undefined)
}

/** Of several sessions all, and of one by itself a page. */
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
