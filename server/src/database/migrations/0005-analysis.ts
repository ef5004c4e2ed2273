import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  // By which analysis a passage's words were made. Those of an older one are made anew in the background.
  'ALTER TABLE passages ADD COLUMN analysis INTEGER NOT NULL DEFAULT 0',
  'CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 1',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
