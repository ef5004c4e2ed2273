import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Session } from './sessions.store.ts'

/** The limits of a visitor's session. */
const MOST_MESSAGES = 1_000
const MOST_BYTES = 4_000_000

/** Returns a row if the session has room for another message. Reads no further in longer, older sessions. */
export const findRoom = prepareQuery((db, sessionId: string) => {
  const bytes = sql<number>`octet_length(query) + octet_length(response) + octet_length(citations) + octet_length(meta)`
  const messages = db
    .selectFrom('messages')
    .select(bytes.as('bytes'))
    .where('session_id', '=', sessionId)
    .limit(sql.lit(MOST_MESSAGES))
  return db
    .selectFrom(messages.as('message'))
    .select((eb) => eb.fn.countAll().as('messages'))
    .having((eb) => eb.fn.countAll(), '<', MOST_MESSAGES)
    .having((eb) => eb.fn.coalesce(eb.fn.sum('bytes'), eb.lit(0)), '<', MOST_BYTES)
})

export async function hasRoom(db: Database, session: Owned<Session>): Promise<boolean> {
  return (await findRoom.read(db, session.id)).length > 0
}
