import type { SourceStatus } from '@docent/contract/sources.ts'
import { sql, type UpdateObject } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { fromNow, jsonNumber, keepFields } from '../../database/dialect.ts'
import type { Tables } from '../../database/tables.ts'
import { hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import { HOUR_MS, READING_FIELDS, type Source, type SourceMeta } from './sources.store.ts'

/** Done, well or not, until it is to be read again: then its attempts count anew. */
export function doneAs(
  db: Database,
  status: SourceStatus,
  { pause_seconds: _, ...meta }: SourceMeta,
  pauseMs = 0,
) {
  // As asked for by now, which may be otherwise than when the reading began.
  const hours = jsonNumber(db, 'meta', 'refresh_hours')
  const pause = sql.lit(Math.ceil(pauseMs))
  const wait = sql`${hours} * ${sql.lit(HOUR_MS)}`
  return {
    status,
    // A start has to know that it waits for so long because it was asked to.
    meta: JSON.stringify({ ...meta, ...(pauseMs > 0 && { pause_seconds: pauseMs / 1000 }) }),
    claim_id: null,
    due_at: sql<
      number | null
    >`${fromNow(db)} + CASE WHEN ${wait} < ${pause} THEN ${pause} ELSE ${wait} END`,
    attempts: sql<number>`CASE WHEN ${hours} IS NULL THEN attempts ELSE 0 END`,
  }
}

export type ClaimedChange = Omit<UpdateObject<Tables, 'sources'>, 'meta'> & { meta?: string }

/** Changes a source that this worker holds; otherwise undoes what it runs together with. */
export function whileClaimed(db: Database, source: Source, change: ClaimedChange): UnitStatement {
  const { meta, ...others } = change
  // How it is to be read may have been changed since it was claimed.
  const kept = meta !== undefined && { meta: keepFields(db, 'meta', READING_FIELDS, meta) }
  return {
    mustReturn: true,
    query: db
      .updateTable('sources')
      .set({ ...others, ...kept, modified_at: Date.now() })
      .where('id', '=', source.id)
      .where('claim_id', '=', source.claim_id)
      .where('chatbot_id', 'not in', hiddenChatbots(db))
      .returning('id')
      .compile(),
  }
}
