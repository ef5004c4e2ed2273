import { type Kysely, sql } from 'kysely'

/** Where the pages of a document begin, and which one a passage is of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE revisions ADD COLUMN pages TEXT`.execute(db)
  await sql`ALTER TABLE passages ADD COLUMN page INTEGER`.execute(db)
}
