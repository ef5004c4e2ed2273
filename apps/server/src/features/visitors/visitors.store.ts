import { hash, randomBytes } from 'node:crypto'
import type { Channel } from '@docent/contract/visitors.ts'
import type { Database } from '../../database/database.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import { ifNotFound, notFound } from '../../errors.ts'
import { type Chatbot, settingsOf } from '../chatbots/chatbots.store.ts'
import { getOwnedMessage, type Message } from '../messages/messages.store.ts'
import { hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import { insertForChatbot } from '../owners/insert-for-chatbot.store.ts'
import { insertSession, newSession, type Session } from '../sessions/sessions.store.ts'

const PREFIX = 'visitor_'

/** Whether visitors on this channel can reach the chatbot. */
function isOpen(chatbot: Chatbot, channel: Channel): boolean {
  const { visibility } = settingsOf(chatbot)
  return visibility === 'public' || (visibility === 'hybrid' && channel === 'widget')
}

/** Throws the same error for a chatbot that is not open and one that does not exist. */
export async function getOpenChatbot(
  db: Database,
  id: string,
  channel: Channel,
): Promise<Owned<Chatbot>> {
  const chatbot = await db
    .selectFrom('chatbots')
    .selectAll()
    .where('id', '=', id)
    .where('id', 'not in', hiddenChatbots(db))
    .executeTakeFirst()
  if (!chatbot || !isOpen(chatbot, channel)) throw notFound('chatbot')
  return asOwned(chatbot)
}

/** Returns the secret, which alone gives access to this session. Only its hash is stored. */
export async function createVisitorSession(
  db: Database,
  chatbot: Owned<Chatbot>,
  channel: Channel,
): Promise<{ session: Session; secret: string }> {
  const secret = PREFIX + randomBytes(32).toString('base64url')
  const session = newSession(chatbot)
  const visitor = { session_id: session.id, hash: hash('sha256', secret), channel }
  await insertForChatbot(db, chatbot.id, [
    insertSession(db, session),
    db.insertInto('visitors').values(visitor).compile(),
  ])
  return { session, secret }
}

export interface Visit {
  session: Owned<Session>
  chatbot: Owned<Chatbot>
  channel: Channel
}

/** Finds the session of the secret, while its chatbot is open to visitors. */
export async function getVisit(db: Database, secret: string, sessionId: string): Promise<Visit> {
  const { channel, ...session } = await db
    .selectFrom('sessions')
    .innerJoin('visitors', 'visitors.session_id', 'sessions.id')
    .selectAll('sessions')
    .select('channel')
    .where('sessions.id', '=', sessionId)
    .where('visitors.hash', '=', hash('sha256', secret))
    .executeTakeFirstOrThrow(() => notFound('session'))
  const chatbot = await getOpenChatbot(db, session.chatbot_id, channel)
  return { session: asOwned(session), chatbot, channel }
}

/** Finds a message in the session of the secret. */
export async function getVisitedMessage(
  db: Database,
  secret: string,
  messageId: string,
): Promise<Visit & { message: Owned<Message> }> {
  const row = await db
    .selectFrom('messages')
    .select('session_id')
    .where('id', '=', messageId)
    .executeTakeFirst()
  const visit = row && (await getVisit(db, secret, row.session_id).catch(ifNotFound))
  if (!visit) throw notFound('message')
  return { ...visit, message: await getOwnedMessage(db, visit.chatbot.owner_id, messageId) }
}
