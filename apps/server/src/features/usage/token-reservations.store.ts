import { sql } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { monthOf } from './usage.store.ts'

// An answer's cost is known at its end. Until then, an estimate is reserved, so that concurrent questions do not spend
// the same tokens of a budget.

/** The estimated cost of an answer. */
export interface TokenReservation {
  chatbotId: string
  tokens: number
}

const reserve = prepareQuery(
  (db, messageId: string, chatbotId: string, month: string, tokens: number) => {
    const spent = sql<number>`coalesce((
      SELECT prompt_tokens + completion_tokens FROM token_usage
      WHERE token_usage.chatbot_id = chatbots.id AND month = ${month}
    ), 0)`
    const reserved = sql<number>`coalesce((
      SELECT sum(tokens) FROM token_reservations WHERE token_reservations.chatbot_id = chatbots.id
    ), 0)`
    return db
      .insertInto('token_reservations')
      .columns(['message_id', 'chatbot_id', 'tokens'])
      .expression(
        db
          .selectFrom('chatbots')
          .select([
            sql.val(messageId).as('message_id'),
            'id',
            sql<number>`CAST(${tokens} AS bigint)`.as('tokens'),
          ])
          .where('id', '=', chatbotId)
          .where((eb) =>
            eb.or([
              eb('token_budget', 'is', null),
              eb.and([
                eb(spent, '<', eb.ref('token_budget')),
                // A budget smaller than an estimate still allows one answer at a time.
                sql<boolean>`(${reserved} = 0 OR ${spent} + ${reserved} + ${tokens} <= token_budget)`,
              ]),
            ]),
          ),
      )
      .returning('message_id')
  },
)

/** Must run in the same write as the message, which is undone if the budget has no room. */
export function reserveTokens(
  db: Database,
  messageId: string,
  { chatbotId, tokens }: TokenReservation,
  now: number,
): UnitStatement {
  const query = reserve.with(db, messageId, chatbotId, monthOf(now), tokens)
  return { query, mustReturn: true }
}

const release = prepareQuery((db, messageId: string) =>
  db.deleteFrom('token_reservations').where('message_id', '=', messageId),
)

/** Must run in the same write as the answer's end. */
export function releaseTokens(db: Database, messageId: string): UnitStatement {
  return { query: release.with(db, messageId) }
}

/** Called at the start of the only process, when no answer is running. */
export async function releaseAllTokens(db: Database): Promise<void> {
  await db.deleteFrom('token_reservations').execute()
}
