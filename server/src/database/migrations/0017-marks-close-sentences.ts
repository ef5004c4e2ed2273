import { type Kysely, sql } from 'kysely'

const STATEMENTS = [
  // Marks of Markdown no longer end a sentence, so that words of the second analysis are made anew as well.
  'DROP INDEX passages_of_older_analysis',
  'CREATE INDEX passages_of_older_analysis ON passages (id) WHERE analysis < 3',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
