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

/** Whether a source that was just taken may be what an earlier worker died of. */
export function isSuspect({ attempts }: Source): boolean {
  return attempts > 1
}

/**
 * Takes the source that is due next, for as long as the lease lasts. Of several owners that wait, the one with the
 * fewest sources in work comes first, so that nobody's thousand files keep another's first one waiting. Of what is due
 * at once, as after a start, the one that was tried least comes first.
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
 * Writes to a source that this worker holds. False when it no longer does: the source was deleted, restarted, or
 * taken up by another after the lease ran out.
 */
export function updateClaimed(
  db: Database,
  claimed: Source,
  change: ClaimedChange,
): Promise<boolean> {
  return runTogether(db, [whileClaimed(db, claimed, change)])
}

/** Only looks, so that it can be asked often. */
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

/** Puts a source back, to be tried again after a while. */
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

/** The same, when it was not the source that failed: the attempt does not count. */
export function putOff(
  db: Database,
  claimed: Source,
  delayMs: number,
  meta: SourceMeta,
): Promise<boolean> {
  return postpone(db, { ...claimed, attempts: claimed.attempts - 1 }, delayMs, meta)
}

/** Puts a source back as if it had never been taken: that the server stops is no failure of the source. */
export function handBack(db: Database, claimed: Source): Promise<boolean> {
  const attempts = claimed.attempts - 1
  const due_at = fromNow(db)
  return updateClaimed(db, claimed, { status: 'await', attempts, due_at, claim_id: null })
}

/** The end of the work on a source that could not be taken in, until it is to be read again, which is not before a pause. */
export function giveUp(
  db: Database,
  claimed: Source,
  status: SourceStatus,
  meta: SourceMeta,
  pauseMs = 0,
): Promise<boolean> {
  return updateClaimed(db, claimed, doneAs(db, status, meta, pauseMs))
}

/** The same for good: what takes its worker down with it is not tried again by itself. */
export function giveUpForGood(
  db: Database,
  claimed: Source,
  failure: Pick<SourceMeta, 'error' | 'error_code' | 'error_params'>,
): Promise<boolean> {
  const meta = JSON.stringify({ ...metaOf(claimed), ...failure })
  return updateClaimed(db, claimed, { status: 'fail', meta, due_at: null, claim_id: null })
}

/**
 * When one process owns the data folder, what an earlier one left in work is due at once. So is what waits, as its time
 * may be one that the clock showed before it was put right. For the same reason nothing waits longer to be read again
 * than was asked for, by its owner or by its site.
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

/** Of all owners, so not on the main thread. An index has all that it looks at. */
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
