import { type Kysely, sql } from 'kysely'

const ID = 'TEXT COLLATE "C"'
const STATEMENTS = [
  // By its key a question that is sent again is known to be the same one.
  `CREATE TABLE question_keys (
    session_id ${ID} NOT NULL REFERENCES sessions ON DELETE CASCADE,
    key ${ID} NOT NULL,
    message_id ${ID} NOT NULL REFERENCES messages ON DELETE CASCADE,
    PRIMARY KEY (session_id, key)
  )`,
  'CREATE INDEX question_keys_of_message ON question_keys (message_id)',
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
