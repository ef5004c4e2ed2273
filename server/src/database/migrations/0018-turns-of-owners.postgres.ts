import { type Kysely, sql } from 'kysely'
import { CHATBOTS_BY_NAME, SOURCES_BY_TURN } from './0018-turns-of-owners.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [SOURCES_BY_TURN, CHATBOTS_BY_NAME]) await sql.raw(statement).execute(db)
}
