import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Analytics } from '../../database/analytics.ts'
import { type Database, runTogether } from '../../database/database.ts'
import { isPostgres, listOf } from '../../database/dialect.ts'

// A page that shows the time has a new text at each reading. A text is used if no passage and no citation refers to it.

/** The queue key: the server takes turns with the owners' reports. */
const SERVER = 'server'
/** The interval between two runs. */
export const LOOK_AGAIN_MS = 6 * 3_600_000
const MESSAGES_AT_ONCE = 300
const PAUSE_MS = 10
/** Texts that a write deletes. */
const TEXTS_AT_ONCE = 50
/** Texts of a source in a run. The next run has the same order. */
const MOST_OF_A_SOURCE = 50_000
/** Running answers may still cite what they found. The deletion waits for them up to this long. */
const PATIENCE_MS = 900_000
const POLL_MS = 500

interface Revision {
  source_id: string
  hash: string
}

export class OldRevisions {
  readonly #db: Database
  readonly #analytics: Analytics
  /** Texts that were unused in the last run. */
  #unused = new Set<string>()

  constructor({ db, analytics }: { db: Database; analytics: Analytics }) {
    this.#db = db
    this.#analytics = analytics
  }

  /** Deletes texts that are unused now and were unused in the last run. Returns how many. */
  async look(stopping: AbortSignal): Promise<number> {
    const unused = await this.#findUnused(stopping)
    const still = unused.filter((one) => this.#unused.has(nameOf(one)))
    this.#unused = new Set(unused.map(nameOf))
    if (still.length === 0 || !(await this.#awaitAnswers(stopping))) return 0
    const cited = await this.#findCited(new Set(still.map(nameOf)), stopping)
    const bySource = Map.groupBy(
      still.filter((one) => !cited.has(nameOf(one))),
      ({ source_id }) => source_id,
    )
    let forgotten = 0
    for (const [sourceId, revisions] of bySource) {
      for (let from = 0; from < revisions.length && !stopping.aborted; from += TEXTS_AT_ONCE) {
        const some = revisions.slice(from, from + TEXTS_AT_ONCE).map(({ hash }) => hash)
        if (await this.#forget(sourceId, some)) forgotten += some.length
        await sleep(PAUSE_MS)
      }
    }
    return forgotten
  }

  async #findUnused(stopping: AbortSignal): Promise<Revision[]> {
    const unused: Revision[] = []
    const reader = this.#reader(stopping)
    for (const sourceId of await sourcesWithSeveral(reader)) {
      if (stopping.aborted) return []
      const { rows } = await sql<{ hash: string }>`
        SELECT hash FROM revisions WHERE source_id = ${sourceId}
        ${sql.join(
          LED_TO.map((table) => sql`EXCEPT ${revisionsOf(table, sourceId)}`),
          BLANK,
        )}
        ORDER BY hash LIMIT ${sql.lit(MOST_OF_A_SOURCE)}`.execute(reader)
      unused.push(...rows.map(({ hash }) => ({ source_id: sourceId, hash })))
    }
    return unused
  }

  #reader(stopping: AbortSignal): Database {
    return this.#analytics.inParts(SERVER, stopping)
  }

  /** Waits for the answers that are running now. Returns false if one of them takes too long. */
  async #awaitAnswers(stopping: AbortSignal): Promise<boolean> {
    const db = this.#db
    const rows = isPostgres(db)
      ? db.selectFrom('running_answers').select('message_id as id')
      : db.selectFrom('messages').select('id').where('finish_reason', '=', '')
    const running = async () => (await rows.execute()).map(({ id }) => id)
    const before = new Set(await running())
    const end = performance.now() + PATIENCE_MS
    while ((await running()).some((id) => before.has(id))) {
      if (performance.now() > end) return false
      await sleep(POLL_MS, undefined, { signal: stopping })
    }
    return true
  }

  /** Returns the wanted texts that answers cite. Reads each message once, however many texts are wanted. */
  async #findCited(wanted: ReadonlySet<string>, stopping: AbortSignal): Promise<Set<string>> {
    const cited = new Set<string>()
    const reader = this.#reader(stopping)
    for (let after: string | undefined = ''; after !== undefined; ) {
      stopping.throwIfAborted()
      const messages = await reader
        .selectFrom('messages')
        .select(['id', 'meta'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(MESSAGES_AT_ONCE)
        .execute()
      for (const { meta } of messages)
        for (const name of citedBy(meta)) if (wanted.has(name)) cited.add(name)
      after = messages.at(-1)?.id
      await sleep(PAUSE_MS)
    }
    return cited
  }

  /** Skips sources that are being read: a reading does not store known texts again and may need one of these. */
  #forget(sourceId: string, hashes: string[]): Promise<boolean> {
    const db = this.#db
    const those = listOf(db, hashes)
    const isUnused = sql.join(
      LED_TO.map(
        (table) => sql`AND hash NOT IN (${revisionsOf(table, sourceId)} AND revision IN ${those})`,
      ),
      BLANK,
    )
    const free = sql`
      UPDATE sources SET claim_id = NULL WHERE id = ${sourceId} AND claim_id IS NULL RETURNING id`
    const revisions = sql`
      DELETE FROM revisions WHERE source_id = ${sourceId} AND hash IN ${those} ${isUnused}`
    const pieces = sql`
      DELETE FROM revision_pieces WHERE source_id = ${sourceId} AND hash IN ${those}
      AND NOT EXISTS (
        SELECT 1 FROM revisions
        WHERE revisions.source_id = revision_pieces.source_id AND revisions.hash = revision_pieces.hash)`
    return runTogether(db, [
      { query: free.compile(db), mustReturn: true },
      { query: revisions.compile(db) },
      { query: pieces.compile(db) },
    ])
  }
}

async function sourcesWithSeveral(db: Database): Promise<string[]> {
  const sources = await db
    .selectFrom('revisions')
    .select('source_id')
    .groupBy('source_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
  return sources.map(({ source_id }) => source_id)
}

const BLANK = sql` `
const LED_TO = ['passages', 'source_pages', 'source_visits'] as const

// One query for all texts: for each single text, SQLite would scan all passages of the source.
function revisionsOf(table: (typeof LED_TO)[number], sourceId: string) {
  return sql`SELECT revision FROM ${sql.table(table)} WHERE source_id = ${sourceId}`
}

function nameOf({ source_id, hash }: Revision): string {
  return `${source_id} ${hash}`
}

function citedBy(meta: string): string[] {
  const { receipts = {} } = JSON.parse(meta) as {
    receipts?: Record<string, { data_source_uuid: string; revision: string }>
  }
  return Object.values(receipts).map(({ data_source_uuid: source_id, revision: hash }) =>
    nameOf({ source_id, hash }),
  )
}
