import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'

const LEAST_BYTES = 1024 * 1024
const NAME = 'ready'

/** Commits a small write. Throws if nothing can be stored. */
export async function tryWriting(db: Database, folder: string): Promise<void> {
  const now = Date.now()
  if (isPostgres(db)) {
    await sql`
      INSERT INTO shared_values (name, value) VALUES (${NAME}, ${String(now)})
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(db)
    return
  }
  // A commit may still fit into the space that the log already has, although larger writes fail.
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < LEAST_BYTES)
    throw Object.assign(new Error('The disk of the data folder is full'), { code: 'ENOSPC' })
  await db.insertInto('rate_hits').values({ bucket: NAME, hit_at: now }).execute()
  await db.deleteFrom('rate_hits').where('bucket', '=', NAME).execute()
}
