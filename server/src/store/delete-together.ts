import { type Database, runTogether } from '../database/database.ts'
import type { Owned } from './owned.ts'
import { forgetTurns } from './recent-turns.ts'

/**
 * All of them or none. False when one is gone already, as whoever deletes it at the same time is told that they did. In the
 * order of their ids, so that two who delete some of the same do not wait for each other.
 */
export async function deleteTogether(
  db: Database,
  table: 'messages' | 'sessions' | 'sources',
  rows: Owned<{ id: string }>[],
): Promise<boolean> {
  const ids = rows.map(({ id }) => id).sort()
  const statements = ids.map((id) => ({
    query: db.deleteFrom(table).where('id', '=', id).returning('id').compile(),
    mustReturn: true,
  }))
  const areDeleted = await runTogether(db, statements)
  if (table !== 'sources') forgetTurns()
  return areDeleted
}
