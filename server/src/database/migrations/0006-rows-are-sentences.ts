import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  // A row of a table is one sentence now, so that words of the first analysis are made anew as well.
  'DROP INDEX passages_of_older_analysis',
  'CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 2',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
