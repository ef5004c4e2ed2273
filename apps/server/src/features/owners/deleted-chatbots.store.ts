import { sql } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'

/**
 * Owns deleted chatbots until everything in them is erased. All access goes through the owner, so this one change hides
 * a chatbot and everything in it. The first deletion creates the row.
 */
export const NOBODY = '0'.repeat(32)

export function makeNobody(db: Database): UnitStatement {
  const nobody = { id: NOBODY, name: '', created_at: 0, modified_at: 0 }
  const insert = db.insertInto('users').values(nobody)
  return { query: insert.onConflict((conflict) => conflict.doNothing()).compile() }
}

/** The fields of a deleted chatbot until it is erased. Its name and prompt are removed at once. */
export function hidden() {
  return { owner_id: NOBODY, name: '', settings: '{}', modified_at: Date.now() }
}

/** Selects the ids of deleted chatbots. They are few, and an index finds them. */
export function hiddenChatbots(db: Database) {
  return db
    .selectFrom('chatbots as hidden')
    .select('hidden.id')
    .where('hidden.owner_id', '=', NOBODY)
}

/** Undoes a write if its chatbot was deleted meanwhile. */
export function whileVisible(db: Database, chatbotId: string): UnitStatement {
  return { query: findVisible.with(db, chatbotId), mustReturn: true }
}

const findVisible = prepareQuery((db, id: string) =>
  db
    .selectFrom('chatbots')
    .select('id')
    .where('id', '=', id)
    .where('owner_id', '!=', sql.lit(NOBODY)),
)
