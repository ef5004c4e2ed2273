import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'

export interface RateLimit {
  /** A message or request counts in each of these buckets. All of them must have room. */
  buckets: string[]
  messages: number
  seconds: number
}

/**
 * Counts a hit in a bucket, unless the bucket is full. Ignores hits more than a window in the future: they were counted
 * before the clock was set back, and would keep the bucket full until the clock catches up.
 */
const insertHit = prepareQuery(
  (db, bucket: string, now: number, since: number, ahead: number, most: number) => {
    const hits = db
      .selectFrom('rate_hits')
      .select((eb) => eb.fn.countAll().as('hits'))
      .where('bucket', '=', bucket)
      .where('hit_at', '>', since)
      .where('hit_at', '<=', ahead)
    return db
      .insertInto('rate_hits')
      .columns(['bucket', 'hit_at'])
      .expression(
        db
          .selectNoFrom([sql.val(bucket).as('bucket'), sql.val(now).as('hit_at')])
          .where(hits, '<', most),
      )
      .returning('hit_at')
  },
)

export function countHit(db: Database, bucket: string, windowMs: number, most: number) {
  const now = Date.now()
  const query = insertHit.with(db, bucket, now, now - windowMs, now + windowMs, most)
  return { query, mustReturn: true }
}

const findOldestCounted = prepareQuery(
  (db, bucket: string, since: number, ahead: number, before: number) =>
    db
      .selectFrom('rate_hits')
      .select('hit_at')
      .where('bucket', '=', bucket)
      .where('hit_at', '>', since)
      .where('hit_at', '<=', ahead)
      .orderBy('hit_at', 'desc')
      .limit(sql.lit(1))
      .offset(before),
)

const fullUntil = new Map<string, number>()
const MOST_FULL = 10_000

/** Whether a bucket was full at the last check and may still be full. */
export function wasFull({ buckets }: RateLimit): boolean {
  const now = Date.now()
  return buckets.some((bucket) => (fullUntil.get(bucket) ?? 0) > now)
}

/** Whole seconds until the oldest counted message leaves the window of every full bucket. 0 if none is full. */
export async function secondsUntilRoom(
  db: Database,
  { buckets, messages, seconds }: RateLimit,
): Promise<number> {
  const now = Date.now()
  const since = now - seconds * 1000
  const ahead = now + seconds * 1000
  const waits = buckets.map(async (bucket) => {
    const [oldest] = await findOldestCounted.read(db, bucket, since, ahead, messages - 1)
    if (!oldest) return 0
    if (fullUntil.size >= MOST_FULL) fullUntil.clear()
    fullUntil.set(bucket, now + oldest.hit_at - since)
    return Math.ceil((oldest.hit_at - since) / 1000)
  })
  return Math.max(0, ...(await Promise.all(waits)))
}

/** No rate limit looks back further than a day. */
export async function forgetOldRateHits(db: Database): Promise<void> {
  const dayAgo = Date.now() - 86_400_000
  await db.deleteFrom('rate_hits').where('hit_at', '<', dayAgo).execute()
}
