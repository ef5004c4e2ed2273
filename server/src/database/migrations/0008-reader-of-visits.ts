import { type Kysely, sql } from 'kysely'

/** What an earlier version read says nothing of its reader, so that it is read once more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE source_visits ADD COLUMN reader TEXT NOT NULL DEFAULT ''`.execute(db)
}
