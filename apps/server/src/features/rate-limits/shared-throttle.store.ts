import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, runAtomically } from '../../database/database.ts'
import { lockKeys } from '../../database/dialect.ts'
import { countHit, secondsUntilRoom } from './rate-limits.store.ts'

/** Counts a try across all nodes. Returns 0 if it is allowed, otherwise the milliseconds to wait. */
export async function countTry(
  db: Database,
  key: string,
  most: number,
  windowMs: number,
): Promise<number> {
  const bucket = bucketOf(key)
  const isTaken = await runAtomically(db, [
    ...lockKeys(db, [bucket]),
    countHit(db, bucket, windowMs, most),
  ])
  if (isTaken) return 0
  const limit = { buckets: [bucket], messages: most, seconds: windowMs / 1000 }
  return (await secondsUntilRoom(db, limit)) * 1000
}

export async function forgetTries(db: Database, key: string): Promise<void> {
  await db.deleteFrom('rate_hits').where('bucket', '=', bucketOf(key)).execute()
}

/** Removes the latest try. Only for several nodes on PostgreSQL. */
export async function undoTry(db: Database, key: string): Promise<void> {
  await sql`
    DELETE FROM rate_hits WHERE ctid = (
      SELECT ctid FROM rate_hits WHERE bucket = ${bucketOf(key)} ORDER BY hit_at DESC LIMIT 1
    )`.execute(db)
}

/** Hashed, so that names and network addresses of users are not stored. */
function bucketOf(key: string): string {
  return `try ${hash('sha256', key)}`
}
