import { type Database, runTogether } from '../database/database.ts'
import { fromNow } from '../database/dialect.ts'
import { eraseMost, hasMany, MESSAGES, OF_SOURCES } from './erase-rows.ts'
import { newId } from './ids.ts'
import type { Owned } from './owned.ts'
import { forgetTurns } from './recent-turns.ts'

const LONGEST_DELETION_MS = 3_600_000

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
  if (table === 'sessions') await eraseMost(db, [MESSAGES], ids)
  if (table === 'sources' && !(await emptySources(db, ids))) return false
  const statements = ids.map((id) => ({
    query: db.deleteFrom(table).where('id', '=', id).returning('id').compile(),
    mustReturn: true,
  }))
  const areDeleted = await runTogether(db, statements)
  if (table !== 'sources') forgetTurns()
  return areDeleted
}

/**
 * Erases most of what large sources became. They are held meanwhile: after a crash half way they are due, and read again,
 * since nobody was told that they are gone. False when one is gone already.
 */
async function emptySources(db: Database, ids: string[]): Promise<boolean> {
  const areLarge = await Promise.all(OF_SOURCES.map((child) => hasMany(db, child, ids)))
  if (!areLarge.includes(true)) return true
  const held = {
    status: 'await' as const,
    claim_id: newId(),
    due_at: fromNow(db, LONGEST_DELETION_MS),
  }
  const hold = ids.map((id) => ({
    query: db.updateTable('sources').set(held).where('id', '=', id).returning('id').compile(),
    mustReturn: true,
  }))
  if (!(await runTogether(db, hold))) return false
  await eraseMost(db, OF_SOURCES, ids)
  return true
}
