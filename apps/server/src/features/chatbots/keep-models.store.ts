import type { Database } from '../../database/database.ts'

const BATCH = 500

/**
 * A chatbot keeps the model that it was made with. Those of an earlier version followed the server's default: they keep
 * the one that answers now. A later start finds none of them.
 */
export async function keepModels(db: Database, model: string): Promise<void> {
  for (;;) {
    const some = db.selectFrom('chatbots').select('id').where('model', 'is', null).limit(BATCH)
    const kept = await db
      .updateTable('chatbots')
      .set({ model })
      .where('id', 'in', some)
      // Another node may have been first.
      .where('model', 'is', null)
      .returning('id')
      .execute()
    if (kept.length < BATCH) return
  }
}
