import type { RawBuilder } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../../database/database.ts'
import { fromNow } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'
import type { Owned } from '../../database/rows/owned.ts'
import { forgetTurns } from '../messages/recent-turns.store.ts'
import { eraseMost, hasMany, MESSAGES, OF_SOURCES } from './erase-rows.store.ts'

const HOLD_MS = 60_000

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
 * Erases most of what large sources became before they go. They are held meanwhile: what is broken off half way is due, and
 * read again, since nobody was told that it is gone. False when one is gone already.
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
      // It is due before long anyway.
      .catch(() => {})
  const keeping = setInterval(() => void keepTill(fromNow(db, HOLD_MS)), HOLD_MS / 3)
  try {
    await eraseMost(db, OF_SOURCES, ids)
    // From here on one that another deletion took meanwhile stops nothing: the others have lost their passages already.
    await runTogether(db, deletions(db, 'sources', ids, { mustReturn: false }))
  } catch (error) {
    await keepTill(fromNow(db), { claim_id: null })
    throw error
  } finally {
    clearInterval(keeping)
  }
  return true
}
