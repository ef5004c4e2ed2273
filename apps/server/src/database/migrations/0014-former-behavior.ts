import { type Kysely, sql } from 'kysely'
import { VERSION } from '../../runtime/version.ts'
import type { Database } from '../database.ts'
import { isPostgres } from '../dialect.ts'

/** What data of an earlier version goes on doing for one version. New data has no such rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [id, options] = isPostgres(db as Database) ? ['TEXT COLLATE "C"', ''] : ['TEXT', ' STRICT']
  await sql`CREATE TABLE former_behavior (
  name ${sql.raw(id)} PRIMARY KEY,
  kept_in_version TEXT NOT NULL
)${sql.raw(options)}`.execute(db)
  // It was answered by any host name, which an operator may rely on.
  await sql`INSERT INTO former_behavior (name, kept_in_version)
    SELECT 'answers any host', ${VERSION} WHERE EXISTS (SELECT 1 FROM users)`.execute(db)
}
