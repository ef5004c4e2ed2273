import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import type { Session } from '../sessions/sessions.store.ts'

/** Returns no row if the session already has this key. */
export const claimQuestionKey = prepareQuery(
  (db, sessionId: string, key: string, messageId: string) =>
    db
      .insertInto('question_keys')
      .values({ session_id: sessionId, key, message_id: messageId })
      .onConflict((conflict) => conflict.doNothing())
      .returning('message_id'),
)

/** Finds the message of an earlier request with this key. */
export function findKeyedMessage(
  db: Database,
  session: Owned<Session>,
  key: string,
): Promise<Row<'messages'> | undefined> {
  return db
    .selectFrom('question_keys')
    .innerJoin('messages', 'messages.id', 'question_keys.message_id')
    .selectAll('messages')
    .where('question_keys.session_id', '=', session.id)
    .where('question_keys.key', '=', key)
    .executeTakeFirst()
}
