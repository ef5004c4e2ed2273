import { type Database, runTogether } from '../database/database.ts'

/** One unit, so that a retry can't shift the times twice. */
export async function putBackDueTimes(db: Database, ms: number): Promise<void> {
  const sources = db
    .updateTable('sources')
    .set((eb) => ({ due_at: eb('due_at', '-', ms) }))
    .where('due_at', 'is not', null)
  const deliveries = db
    .updateTable('webhook_deliveries')
    .set((eb) => ({ due_at: eb('due_at', '-', ms) }))
    .where('due_at', 'is not', null)
  await runTogether(db, [{ query: sources.compile() }, { query: deliveries.compile() }])
}
