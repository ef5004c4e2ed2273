import { type Kysely, sql } from 'kysely'
import { VERSION } from '../../runtime/version.ts'
import type { Database } from '../database.ts'
import { isPostgres } from '../dialect.ts'

/** Records behavior that existing data keeps for one more version. New databases have no such rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const [id, options] = isPostgres(db as Database) ? ['TEXT COLLATE "C"', ''] : ['TEXT', ' STRICT']
  await sql`CREATE TABLE former_behavior (
  name ${sql.raw(id)} PRIMARY KEY,
  kept_in_version TEXT NOT NULL
)${sql.raw(options)}`.execute(db)
  // Earlier versions answered requests for any host name, and operators may rely on it.
  await sql`INSERT INTO former_behavior (name, kept_in_version)
    SELECT 'answers any host', ${VERSION} WHERE EXISTS (SELECT 1 FROM users)`.execute(db)
}
