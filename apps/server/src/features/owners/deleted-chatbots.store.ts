import { sql } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'

/**
 * Owns the chatbots that were deleted, until all that is in them is erased. Everything is reached by its owner, so a
 * chatbot is hidden with everything in it by this one change. The row is made by the first deletion.
 */
export const NOBODY = '0'.repeat(32)

export function makeNobody(db: Database): UnitStatement {
  const nobody = { id: NOBODY, name: '', created_at: 0, modified_at: 0 }
  const insert = db.insertInto('users').values(nobody)
  return { query: insert.onConflict((conflict) => conflict.doNothing()).compile() }
}

/** What a deleted chatbot is until it is erased: without its name and its prompt, which are gone at once. */
export function hidden() {
  return { owner_id: NOBODY, name: '', settings: '{}', modified_at: Date.now() }
}

/** The ids of the chatbots that were deleted: few, and found by an index. */
export function hiddenChatbots(db: Database) {
  return db
    .selectFrom('chatbots as hidden')
    .select('hidden.id')
    .where('hidden.owner_id', '=', NOBODY)
}

/** Undoes a write under a chatbot that was deleted meanwhile. */
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
