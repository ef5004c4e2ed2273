import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { fromNow, isPostgres } from '../../database/dialect.ts'
import { DELETED_OWNER_ID } from '../owners/deleted-chatbots.store.ts'
import type { Delivery } from './webhooks.store.ts'

const LEASE_MS = 60_000
// Retries start soon for a receiver that is restarting, and go on for eight and a half hours.
const PAUSES_S = [1, 10, 60, 300, 1_800, 7_200, 21_600]

/** Webhooks and owners that have reached their limit of parallel deliveries. */
export interface Full {
  webhooks: string[]
  owners: string[]
}

export type ClaimedDelivery = Delivery & { owner_id: string | null }

/**
 * Claims the next due delivery for the time of the lease, and skips busy webhooks and owners. Delivery is at least
 * once.
 */
export function claimDelivery(
  db: Database,
  { webhooks, owners }: Full,
): Promise<ClaimedDelivery | undefined> {
  const others = isPostgres(db)
  return db
    .with('next', (queries) =>
      queries
        .selectFrom('webhook_deliveries as due')
        .innerJoin('webhooks', 'webhooks.id', 'due.webhook_id')
        .innerJoin('chatbots', 'chatbots.id', 'webhooks.chatbot_id')
        .select('due.id')
        .where('due.due_at', '<=', fromNow(db))
        .$if(webhooks.length > 0, (query) => query.where('due.webhook_id', 'not in', webhooks))
        .where('chatbots.owner_id', 'not in', [...owners, DELETED_OWNER_ID])
        .orderBy('due.due_at')
        .limit(1)
        .$if(others, (query) => query.forUpdate(['due']).skipLocked()),
    )
    .updateTable('webhook_deliveries')
    .set({
      attempts: sql`attempts + 1`,
      due_at: fromNow(db, LEASE_MS),
      modified_at: Date.now(),
    })
    .where('id', 'in', (eb) => eb.selectFrom('next').select('id'))
    .returningAll()
    .returning((eb) =>
      eb
        .selectFrom('webhooks')
        .innerJoin('chatbots', 'chatbots.id', 'webhooks.chatbot_id')
        .select('chatbots.owner_id')
        .whereRef('webhooks.id', '=', 'webhook_deliveries.webhook_id')
        .as('owner_id'),
    )
    .executeTakeFirst()
}

export interface Outcome {
  /** The response status, if there was a response. */
  status: number | undefined
  error: string
}

export function isDelivered({ status }: Outcome): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Stores the result and schedules the next attempt after a failure. */
export async function recordOutcome(
  db: Database,
  { id, event, attempts }: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { status, error } = outcome
  const delivered = isDelivered(outcome)
  // 410 means that the receiver is gone for good. A test is not retried: its sender reads the result and can send
  // another.
  const isLast = delivered || status === 410 || event === 'webhook.test'
  const pause = isLast ? undefined : PAUSES_S[attempts - 1]
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: delivered ? 'delivered' : pause === undefined ? 'failed' : 'pending',
      response_status: status ?? null,
      error: delivered ? '' : error,
      due_at: pause === undefined ? null : fromNow(db, pause * 1000),
      modified_at: Date.now(),
    })
    .where('id', '=', id)
    .execute()
}

/** A single process owns the data folder, so deliveries that an earlier process left pending are due at once. */
export async function releaseDeliveries(db: Database): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: fromNow(db) })
    .where('due_at', 'is not', null)
    .execute()
}
