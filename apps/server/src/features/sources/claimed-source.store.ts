import type { SourceStatus } from '@docent/contract/sources.ts'
import { sql, type UpdateObject } from 'kysely'
import type { Database, UnitStatement } from '../../database/database.ts'
import { fromNow, jsonNumber, keepFields } from '../../database/dialect.ts'
import type { Tables } from '../../database/tables.ts'
import { hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import { HOUR_MS, READING_FIELDS, type Source, type SourceMeta } from './sources.store.ts'

/** Marks a source as read, with or without success, until its next reading. A scheduled refresh resets the attempts. */
export function doneAs(
  db: Database,
  status: SourceStatus,
  { pause_seconds: _, ...meta }: SourceMeta,
  pauseMs = 0,
) {
  // Uses the stored setting, which may have changed since the reading began.
  const hours = jsonNumber(db, 'meta', 'refresh_hours')
  const pause = sql.lit(Math.ceil(pauseMs))
  const wait = sql`${hours} * ${sql.lit(HOUR_MS)}`
  return {
    status,
    // After a restart, the server must know that the site asked for this pause.
    meta: JSON.stringify({ ...meta, ...(pauseMs > 0 && { pause_seconds: pauseMs / 1000 }) }),
    claim_id: null,
    due_at: sql<
      number | null
    >`${fromNow(db)} + CASE WHEN ${wait} < ${pause} THEN ${pause} ELSE ${wait} END`,
    attempts: sql<number>`CASE WHEN ${hours} IS NULL THEN attempts ELSE 0 END`,
  }
}

export type ClaimedChange = Omit<UpdateObject<Tables, 'sources'>, 'meta'> & { meta?: string }

/** Changes a source while this worker holds it. Otherwise undoes the whole write. */
export function whileClaimed(db: Database, source: Source, change: ClaimedChange): UnitStatement {
  const { meta, ...others } = change
  // The owner may have changed the reading settings since the claim.
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
