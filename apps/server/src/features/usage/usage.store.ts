import { sql } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'

export type Usage = Omit<Row<'token_usage'>, 'chatbot_id'>

export interface SpentTokens {
  chatbotId: string
  prompt: number
  completion: number
}

const HOUR_MS = 3_600_000
let hour = { of: -1, month: '' }

/** The month in which tokens are counted, in UTC. Formatted once an hour, as formatting is slow. */
export function monthOf(time: number): string {
  const of = Math.floor(time / HOUR_MS)
  if (of !== hour.of) hour = { of, month: new Date(time).toISOString().slice(0, 7) }
  return hour.month
}

export function secondsUntilNextMonth(now: number): number {
  const date = new Date(now)
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return Math.ceil((next - now) / 1000)
}

const addUsage = prepareQuery(
  (db, chatbotId: string, month: string, prompt: number, completion: number) =>
    db
      .insertInto('token_usage')
      .columns(['chatbot_id', 'month', 'messages', 'prompt_tokens', 'completion_tokens'])
      // Counts nothing if the chatbot was deleted while it answered.
      .expression(
        db
          .selectFrom('chatbots')
          .select([
            'id',
            sql.val(month).as('month'),
            sql.lit(1).as('messages'),
            sql.val(prompt).as('prompt_tokens'),
            sql.val(completion).as('completion_tokens'),
          ])
          .where('id', '=', chatbotId),
      )
      .onConflict((conflict) =>
        conflict.columns(['chatbot_id', 'month']).doUpdateSet({
          messages: sql`token_usage.messages + 1`,
          prompt_tokens: sql`token_usage.prompt_tokens + excluded.prompt_tokens`,
          completion_tokens: sql`token_usage.completion_tokens + excluded.completion_tokens`,
        }),
      ),
)

/** Must run in the same write as the answer that spent the tokens. */
export function countTokens(db: Database, spent: SpentTokens, now: number): UnitStatement {
  const { chatbotId, prompt, completion } = spent
  return { query: addUsage.with(db, chatbotId, monthOf(now), prompt, completion) }
}

const findUsage = prepareQuery((db, chatbotId: string, month: string) =>
  db
    .selectFrom('token_usage')
    .select(['month', 'messages', 'prompt_tokens', 'completion_tokens'])
    .where('chatbot_id', '=', chatbotId)
    .where('month', '=', month),
)

export async function getUsage(
  db: Database,
  chatbot: Owned<Chatbot>,
  month: string,
): Promise<Usage> {
  const [usage] = await findUsage.read(db, chatbot.id, month)
  return usage ?? { month, messages: 0, prompt_tokens: 0, completion_tokens: 0 }
}

export async function setTokenBudget(
  db: Database,
  chatbot: Owned<Chatbot>,
  tokens: number | null,
): Promise<void> {
  await db
    .updateTable('chatbots')
    .set({ token_budget: tokens, modified_at: Date.now() })
    .where('id', '=', chatbot.id)
    .execute()
}
