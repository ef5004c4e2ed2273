import type { UpdateObject } from 'kysely'
import type { Database, UnitStatement } from '../database/database.ts'
import { fromNow } from '../database/dialect.ts'
import type { Tables } from '../database/tables.ts'
import type { Source, SourceMeta } from './sources.ts'

/** Done, until it is to be read again: then its attempts count anew. */
export function doneAs(db: Database, meta: SourceMeta) {
  const hours = meta.refresh_hours
  const next =
    hours === undefined ? { due_at: null } : { due_at: fromNow(db, hours * 3_600_000), attempts: 0 }
  return { status: 'success' as const, meta: JSON.stringify(meta), claim_id: null, ...next }
}

/** Changes a source that this worker holds; otherwise undoes what it runs together with. */
export function whileClaimed(
  db: Database,
  source: Source,
  change: UpdateObject<Tables, 'sources'>,
): UnitStatement {
  return {
    mustReturn: true,
    query: db
      .updateTable('sources')
      .set({ ...change, modified_at: Date.now() })
      .where('id', '=', source.id)
      .where('claim_id', '=', source.claim_id)
      .returning('id')
      .compile(),
  }
}
