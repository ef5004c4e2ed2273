import { type RawBuilder, sql } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import { joinInOrder } from '../database/dialect.ts'
import type { Source } from '../features/sources/sources.store.ts'

// A long source is written in many transactions, but a search must find it whole or not at all. The passages of a build
// therefore carry its id in the index, and a search leaves out the builds in `hidden_builds`. These still grow, or were
// replaced and await removal. The table survives a crash.

/** Passages that appear together: those of a source, or of one page of a site. */
export interface Build {
  id: string
  source: Pick<Source, 'id' | 'chatbot_id' | 'claim_id'>
  pageUrl: string
}

/** Passages deleted per transaction. */
export const BATCH_FORGOTTEN = 300

/** Runs before the first passage, so that the build grows hidden. */
export function hideBuild(db: Database, { id, source, pageUrl }: Build): UnitStatement {
  const row = {
    build: id,
    chatbot_id: source.chatbot_id,
    source_id: source.id,
    page_url: pageUrl,
    claim_id: source.claim_id,
  }
  return { query: db.insertInto('hidden_builds').values(row).compile() }
}

/** Runs with the last passage. The build that it replaces disappears in the same transaction. */
export function showBuild(db: Database, { id, source, pageUrl }: Build): UnitStatement[] {
  return [
    { query: db.deleteFrom('hidden_builds').where('build', '=', id).compile() },
    {
      query: sql`
        INSERT INTO hidden_builds (build, chatbot_id, source_id, page_url)
        SELECT DISTINCT build, chatbot_id, source_id, page_url FROM passages
        WHERE source_id = ${source.id} AND page_url = ${pageUrl} AND build <> ${id}
        ON CONFLICT DO NOTHING`.compile(db),
    },
  ]
}

/** The end of a full-text expression. One query reads both the list and the index, so they are consistent. */
export function withoutHidden(chatbotId: string): RawBuilder<string> {
  return sql<string>`(
    SELECT coalesce(' NOT build : (' || group_concat('"' || build || '"', ' OR ') || ')', '')
    FROM hidden_builds WHERE chatbot_id = ${chatbotId})`
}

// A worker that lost its claim does not complete its build.
const ABANDONED = sql`
  hidden_builds.claim_id IS NULL
  OR hidden_builds.claim_id IS DISTINCT FROM (SELECT claim_id FROM sources WHERE id = hidden_builds.source_id)`

/** Removes one batch of passages from abandoned builds, then the builds that have none left. */
export function forgetSomeHidden(db: Database): UnitStatement[] {
  return [
    {
      query: sql`
        DELETE FROM passages WHERE id IN (
          SELECT passages.id FROM hidden_builds ${joinInOrder(db)} passages
          ON passages.source_id = hidden_builds.source_id AND passages.page_url = hidden_builds.page_url
            AND passages.build = hidden_builds.build
          WHERE ${ABANDONED} LIMIT ${BATCH_FORGOTTEN})`.compile(db),
    },
    {
      query: sql`
        DELETE FROM hidden_builds WHERE (${ABANDONED}) AND NOT EXISTS (
          SELECT 1 FROM passages
          WHERE passages.source_id = hidden_builds.source_id AND passages.page_url = hidden_builds.page_url
            AND passages.build = hidden_builds.build)`.compile(db),
    },
  ]
}

/** Removes all abandoned passages, batch by batch. */
export async function forgetHidden(db: Database): Promise<void> {
  const find = sql`SELECT 1 FROM hidden_builds WHERE ${ABANDONED} LIMIT 1`
  while ((await find.execute(db)).rows.length > 0) await runTogether(db, forgetSomeHidden(db))
}
