import type { RawBuilder } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../../database/database.ts'
import { fromNow } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'
import type { Owned } from '../../database/rows/owned.ts'
import { forgetTurns } from '../messages/recent-turns.store.ts'
import { eraseMost, hasMany, MESSAGES, OF_SOURCES } from './erase-rows.store.ts'

const HOLD_MS = 60_000

/**
 * Deletes all rows or none. Returns false if a row is already gone, as a concurrent request reports that deletion.
 * Deletes in the order of ids, so that concurrent deletions of the same rows do not deadlock.
 */
export async function deleteTogether(
  db: Database,
  table: 'messages' | 'sessions' | 'sources',
  rows: Owned<{ id: string }>[],
): Promise<boolean> {
  const ids = rows.map(({ id }) => id).sort()
  if (table === 'sessions') await eraseMost(db, [MESSAGES], ids)
  if (table === 'sources' && (await areLarge(db, ids))) return deleteLargeSources(db, ids)
  const areDeleted = await runTogether(db, deletions(db, table, ids, { mustReturn: true }))
  if (table !== 'sources') forgetTurns()
  return areDeleted
}

function deletions(
  db: Database,
  table: 'messages' | 'sessions' | 'sources',
  ids: string[],
  { mustReturn }: { mustReturn: boolean },
): UnitStatement[] {
  return ids.map((id) => ({
    query: db.deleteFrom(table).where('id', '=', id).returning('id').compile(),
    mustReturn,
  }))
}

async function areLarge(db: Database, ids: string[]): Promise<boolean> {
  const found = await Promise.all(OF_SOURCES.map((child) => hasMany(db, child, ids)))
  return found.includes(true)
}

/**
 * Erases most rows under large sources before the sources. Holds the sources meanwhile: after a crash they become due
 * and are read again, since no caller was told that they are gone. Returns false if a source is already gone.
 */
async function deleteLargeSources(db: Database, ids: string[]): Promise<boolean> {
  const claim_id = newId()
  const held = { status: 'await' as const, claim_id, due_at: fromNow(db, HOLD_MS) }
  const hold = ids.map((id) => ({
    query: db.updateTable('sources').set(held).where('id', '=', id).returning('id').compile(),
    mustReturn: true,
  }))
  if (!(await runTogether(db, hold))) return false
  const keepTill = (due_at: RawBuilder<number>, change: { claim_id?: null } = {}) =>
    db
      .updateTable('sources')
      .set({ ...change, due_at })
      .where('id', 'in', ids)
      .where('claim_id', '=', claim_id)
      .execute()
      // The sources become due before long anyway.
      .catch(() => {})
  const keeping = setInterval(() => void keepTill(fromNow(db, HOLD_MS)), HOLD_MS / 3)
  try {
    await eraseMost(db, OF_SOURCES, ids)
    // From here on, a concurrent deletion stops nothing: the other sources have already lost their passages.
    await runTogether(db, deletions(db, 'sources', ids, { mustReturn: false }))
  } catch (error) {
    await keepTill(fromNow(db), { claim_id: null })
    throw error
  } finally {
    clearInterval(keeping)
  }
  return true
}
