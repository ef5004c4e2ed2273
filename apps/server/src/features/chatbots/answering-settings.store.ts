import type { Answering, AnsweringUpdate } from '@docent/contract/chatbots.ts'
import type { Database } from '../../database/database.ts'
import { mergeJson } from '../../database/dialect.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { notFound } from '../../errors.ts'

export type AnsweringSettings = Omit<Answering, 'model_used'>

export const NEW_ANSWERING: AnsweringSettings = { pairs_override: true }

/** The behavior of chatbots from before the setting existed. */
const BEFORE: AnsweringSettings = { pairs_override: false }

const settingsOfRows = new WeakMap<Row<'chatbots'>, Readonly<AnsweringSettings>>()

export function answeringOf(chatbot: Row<'chatbots'>): Readonly<AnsweringSettings> {
  let settings = settingsOfRows.get(chatbot)
  if (!settings) {
    settings = { ...BEFORE, ...JSON.parse(chatbot.answering) }
    settingsOfRows.set(chatbot, settings!)
  }
  return settings!
}

/** Changes only the given fields. One statement, so that concurrent updates both take effect. */
export async function updateAnswering(
  db: Database,
  chatbot: Owned<Row<'chatbots'>>,
  change: AnsweringUpdate,
): Promise<Row<'chatbots'>> {
  return db
    .updateTable('chatbots')
    .set({
      answering: mergeJson(db, 'answering', JSON.stringify(change)),
      modified_at: Date.now(),
    })
    .where('id', '=', chatbot.id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('chatbot'))
}
