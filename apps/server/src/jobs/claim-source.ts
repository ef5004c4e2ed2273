import type { SourceStatus } from '@docent/contract/sources.ts'
import { sql } from 'kysely'
import { type Database, runTogether } from '../database/database.ts'
import { fromNow, jsonNumber } from '../database/dialect.ts'
import { newId } from '../database/rows/ids.ts'
import { hiddenChatbots } from '../features/owners/deleted-chatbots.store.ts'
import {
  type ClaimedChange,
  doneAs,
  whileClaimed,
} from '../features/sources/claimed-source.store.ts'
import { HOUR_MS, metaOf, type Source, type SourceMeta } from '../features/sources/sources.store.ts'
import { type ClaimOptions, IS_SETTLED, nextSource } from './next-source.ts'

export const LEASE_MS = 30_000
export const MAX_ATTEMPTS = 3

/** Whether an earlier worker may have crashed on this source. */
export function isSuspect({ attempts }: Source): boolean {
  return attempts > 1
}

/**
 * Claims the next due source for the time of the lease. The owner with the fewest sources in work comes first, so one
 * owner's thousand files do not delay another's first file. Among sources due at the same time, such as after a start,
 * the least tried comes first.
 */
export function claimSource(db: Database, options: ClaimOptions = {}): Promise<Source | undefined> {
  return db
    .updateTable('sources')
    .set({
      status: 'extracting',
      attempts: sql`attempts + 1`,
      claim_id: newId(),
      due_at: fromNow(db, LEASE_MS),
      modified_at: Date.now(),
    })
    .where('id', '=', nextSource(db, options))
    .returningAll()
    .executeTakeFirst()
}

/**
 * Writes to a source that this worker has claimed. Returns false if the source was deleted, restarted, or claimed by
 * another worker after the lease ran out.
 */
export function updateClaimed(
  db: Database,
  claimed: Source,
  change: ClaimedChange,
): Promise<boolean> {
  return runTogether(db, [whileClaimed(db, claimed, change)])
}

/** Only reads, so it is cheap enough to call often. */
export async function isClaimed(db: Database, claimed: Source): Promise<boolean> {
  const source = await db
    .selectFrom('sources')
    .select('claim_id')
    .where('id', '=', claimed.id)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .executeTakeFirst()
  return source?.claim_id === claimed.claim_id
}

export function extendLease(db: Database, claimed: Source): Promise<boolean> {
  return updateClaimed(db, claimed, { due_at: fromNow(db, LEASE_MS) })
}

/** Schedules another attempt after a delay. */
export function postpone(
  db: Database,
  claimed: Source,
  delayMs: number,
  meta: SourceMeta = metaOf(claimed),
): Promise<boolean> {
  const { attempts } = claimed
  const change = { status: 'await' as const, meta: JSON.stringify(meta), claim_id: null, attempts }
  return updateClaimed(db, claimed, { ...change, due_at: fromNow(db, delayMs) })
}

/** Like `postpone`, but the attempt does not count, because the source is not to blame. */
export function putOff(
  db: Database,
  claimed: Source,
  delayMs: number,
  meta: SourceMeta,
): Promise<boolean> {
  return postpone(db, { ...claimed, attempts: claimed.attempts - 1 }, delayMs, meta)
}

/** Returns a source untouched: a server stop is no failure of the source. */
export function handBack(db: Database, claimed: Source): Promise<boolean> {
  const attempts = claimed.attempts - 1
  const due_at = fromNow(db)
  return updateClaimed(db, claimed, { status: 'await', attempts, due_at, claim_id: null })
}

/** Ends the work on a source that could not be read. A refresh, if there is one, waits at least for the pause. */
export function giveUp(
  db: Database,
  claimed: Source,
  status: SourceStatus,
  meta: SourceMeta,
  pauseMs = 0,
): Promise<boolean> {
  return updateClaimed(db, claimed, doneAs(db, status, meta, pauseMs))
}

/** Like `giveUp`, but without a refresh: a source that crashes its worker is not tried again automatically. */
export function giveUpForGood(
  db: Database,
  claimed: Source,
  failure: Pick<SourceMeta, 'error' | 'error_code' | 'error_params'>,
): Promise<boolean> {
  const meta = JSON.stringify({ ...metaOf(claimed), ...failure })
  return updateClaimed(db, claimed, { status: 'fail', meta, due_at: null, claim_id: null })
}

/**
 * A single process owns the data folder, so sources that an earlier process left in work are due at once. Waiting
 * sources are due too, because their times may come from a wrong clock. For the same reason no refresh is later than
 * its owner's interval or its site's pause.
 */
export async function releaseAllLeases(db: Database): Promise<void> {
  await db
    .updateTable('sources')
    .set({ due_at: fromNow(db) })
    .where((eb) => eb.or([eb('claim_id', 'is not', null), eb('status', '=', 'await')]))
    .execute()
  const hours = jsonNumber(db, 'meta', 'refresh_hours')
  const pause = sql`coalesce(${jsonNumber(db, 'meta', 'pause_seconds')}, 0)`
  const nextTime = sql<number>`${fromNow(db)} + max(${hours} * ${HOUR_MS}, ${pause} * 1000)`
  await db.updateTable('sources').set({ due_at: nextTime }).where('due_at', '>', nextTime).execute()
}

/** Counts across all owners, so it does not run on the main thread. An index covers the query. */
export async function countDue(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('sources')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('due_at', 'is not', null)
    .where(IS_SETTLED, '=', sql.lit(false))
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .executeTakeFirstOrThrow()
  return Number(count)
}
