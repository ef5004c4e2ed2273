import { type Kysely, sql } from 'kysely'

/** The order in which the sources of an owner are taken, for each kind of them. A claim compares by the same words. */
const TURN = `owner_id, (type = 'link'), (status NOT IN ('await', 'extracting', 'chunking', 'embedding')),
  due_at, attempts, id`

export const SOURCES_BY_TURN = `CREATE INDEX sources_by_turn ON sources (${TURN}) WHERE due_at IS NOT NULL`
export const CHATBOTS_BY_NAME = 'CREATE INDEX chatbots_by_name ON chatbots (owner_id, name)'

const STATEMENTS = [
  // With what a claim looks at besides, so that it reads no rows that it does not take.
  SOURCES_BY_TURN.replace(', id)', ', id, chatbot_id, claim_id)'),
  'CREATE INDEX sources_in_work ON sources (owner_id, due_at) WHERE claim_id IS NOT NULL',
  CHATBOTS_BY_NAME,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
