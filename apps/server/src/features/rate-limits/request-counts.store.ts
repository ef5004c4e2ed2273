import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export interface CountedSpan {
  /** The index of the time window since 1970. */
  span: number
  lengthMs: number
  /** The share of the previous window that still counts. */
  share: number
  most: number
}

/** Counts a request across all nodes. Returns false if the limit is reached. */
export async function countRequest(
  db: Database,
  key: string,
  { span, lengthMs, share, most }: CountedSpan,
): Promise<boolean> {
  const before = sql`coalesce((SELECT requests FROM before), 0) * ${share}::float8`
  const { rows } = await sql`
    WITH before AS (SELECT requests FROM request_counts WHERE key = ${key} AND span = ${span - 1}::bigint)
    INSERT INTO request_counts AS counts (key, span, requests, ends_at)
    SELECT ${key}, ${span}::bigint, 1, ${(span + 2) * lengthMs}::bigint WHERE ${before} < ${most}::bigint
    ON CONFLICT (key, span) DO UPDATE SET requests = counts.requests + 1
    WHERE counts.requests + ${before} < ${most}::bigint
    RETURNING requests`.execute(db)
  return rows.length > 0
}

export async function forgetOldCounts(db: Database): Promise<void> {
  await db.deleteFrom('request_counts').where('ends_at', '<', Date.now()).execute()
}
