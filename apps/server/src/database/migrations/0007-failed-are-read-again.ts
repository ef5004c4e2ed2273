import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { fromNow, jsonNumber } from '../dialect.ts'

/**
 * Earlier versions stopped refreshing a source after one failure. This schedules those sources again, except those with
 * too many attempts: they may crash the server.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const store = db as Database
  await sql`
    UPDATE sources SET due_at = ${fromNow(store)}, attempts = 0
    WHERE due_at IS NULL AND attempts <= 3 AND (status = 'fail' OR status LIKE 'error:%')
      AND ${jsonNumber(store, 'meta', 'refresh_hours')} IS NOT NULL`.execute(db)
}
