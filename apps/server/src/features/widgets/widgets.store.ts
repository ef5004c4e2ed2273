import type { Widget } from '@docent/contract/widgets.ts'
import type { Database } from '../../database/database.ts'
import { mergeJson } from '../../database/dialect.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import { insertUnder } from '../owners/insert-under.store.ts'

const DEFAULT_WIDGET: Widget = {
  allowed_origins: [],
  color: '#0f766e',
  theme: 'auto',
  position: 'right',
  title: '',
  greeting: '',
  suggested_questions: [],
}

export async function getWidgetSettings(db: Database, chatbot: Chatbot): Promise<Widget> {
  const row = await db
    .selectFrom('widgets')
    .select('settings')
    .where('chatbot_id', '=', chatbot.id)
    .executeTakeFirst()
  return { ...DEFAULT_WIDGET, ...(row && JSON.parse(row.settings)) }
}

/** Whether the owner has ever changed the widget. */
export async function hasWidgetSettings(db: Database, { id }: Chatbot): Promise<boolean> {
  const row = await db
    .selectFrom('widgets')
    .select('chatbot_id')
    .where('chatbot_id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Changes only the given fields. One statement, so that concurrent updates both take effect. */
export async function updateWidgetSettings(
  db: Database,
  chatbot: Owned<Chatbot>,
  change: Partial<Widget>,
): Promise<Widget> {
  const first = JSON.stringify({ ...DEFAULT_WIDGET, ...change })
  const settings = mergeJson(db, 'widgets.settings', JSON.stringify(change))
  const insert = db
    .insertInto('widgets')
    .values({ chatbot_id: chatbot.id, settings: first })
    .onConflict((conflict) => conflict.column('chatbot_id').doUpdateSet({ settings }))
  await insertUnder(db, chatbot.id, [insert.compile()])
  return getWidgetSettings(db, chatbot)
}
