import type { Database } from '../../database/database.ts'

const BATCH = 500

/**
 * Chatbots keep the model that they were created with. In earlier versions they followed the server's default. They now
 * keep the model that currently answers. Later starts find no such chatbots.
 */
export async function keepModels(db: Database, model: string): Promise<void> {
  for (;;) {
    const some = db.selectFrom('chatbots').select('id').where('model', 'is', null).limit(BATCH)
    const kept = await db
      .updateTable('chatbots')
      .set({ model })
      .where('id', 'in', some)
      // Another node may have written first.
      .where('model', 'is', null)
      .returning('id')
      .execute()
    if (kept.length < BATCH) return
  }
}
