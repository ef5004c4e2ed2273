import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { newId } from '../../database/rows/ids.ts'
import { listReader } from '../../database/rows/list-reader.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { notFound } from '../../errors.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import { deleteTogether } from '../owners/delete-together.store.ts'
import { insertUnder } from '../owners/insert-under.store.ts'

export type Session = Row<'sessions'>

/** Creates a session without storing it. */
export function newSession(chatbot: Owned<Chatbot>): Session {
  const now = Date.now()
  return { id: newId(), chatbot_id: chatbot.id, created_at: now, modified_at: now }
}

export function insertSession(db: Database, session: Session) {
  return db.insertInto('sessions').values(session).compile()
}

export async function createSession(db: Database, chatbot: Owned<Chatbot>): Promise<Session> {
  const session = newSession(chatbot)
  await insertUnder(db, chatbot.id, [insertSession(db, session)])
  return session
}

const findSession = prepareQuery((db, ownerId: string, id: string) =>
  ownedSessions(db, ownerId).where('sessions.id', '=', id),
)

export async function getOwnedSession(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Session>> {
  const [session] = await findSession.read(db, ownerId, id)
  if (!session) throw notFound('session')
  return asOwned(session)
}

/** Returns the sessions among the given ids that belong to the owner. */
export async function findOwnedSessions(db: Database, ownerId: string, ids: string[]) {
  return (await ownedSessions(db, ownerId).where('sessions.id', 'in', ids).execute()).map(asOwned)
}

function ownedSessions(db: Database, ownerId: string) {
  return db
    .selectFrom('sessions')
    .innerJoin('chatbots', 'chatbots.id', 'sessions.chatbot_id')
    .selectAll('sessions')
    .where('chatbots.owner_id', '=', ownerId)
}

export const readSessions = listReader('sessions', { parent: 'chatbot_id', texts: [] })

export function deleteSessions(db: Database, sessions: Owned<Session>[]): Promise<boolean> {
  return deleteTogether(db, 'sessions', sessions)
}
