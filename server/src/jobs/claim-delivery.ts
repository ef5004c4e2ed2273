import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { fromNow, isPostgres } from '../database/dialect.ts'
import type { Delivery } from '../store/webhooks.ts'

const LEASE_MS = 60_000
// After the first try: soon, for a receiver that is being restarted; then for most of a day.
const PAUSES_S = [1, 10, 60, 300, 1_800, 7_200, 21_600]

/** Takes what is due to be told, for as long as the lease lasts. Each may be told twice, never not at all. */
export function claimDeliveries(db: Database, most: number): Promise<Delivery[]> {
  const others = isPostgres(db)
  return db
    .with('next', (queries) =>
      queries
        .selectFrom('webhook_deliveries')
        .select('id')
        .where('due_at', '<=', fromNow(db))
        .orderBy('due_at')
        .limit(most)
        .$if(others, (query) => query.forUpdate().skipLocked()),
    )
    .updateTable('webhook_deliveries')
    .set({
      attempts: sql`attempts + 1`,
      due_at: fromNow(db, LEASE_MS),
      modified_at: Date.now(),
    })
    .where('id', 'in', (eb) => eb.selectFrom('next').select('id'))
    .returningAll()
    .execute()
}

export interface Outcome {
  /** What the receiver answered, if it did. */
  status: number | undefined
  error: string
}

export function isDelivered({ status }: Outcome): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Writes down how it went, and when it is tried again if it did not go well. */
export async function recordOutcome(
  db: Database,
  { id, attempts }: Delivery,
  outcome: Outcome,
): Promise<void> {
  const { status, error } = outcome
  const delivered = isDelivered(outcome)
  // 410: the receiver is gone for good and says so.
  const pause = delivered || status === 410 ? undefined : PAUSES_S[attempts - 1]
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

/** When one process owns the data folder, what an earlier one was telling or going to tell is due at once. */
export async function releaseDeliveries(db: Database): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: fromNow(db) })
    .where('due_at', 'is not', null)
    .execute()
}
