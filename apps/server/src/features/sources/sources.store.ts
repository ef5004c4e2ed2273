import {
  type CrawlSettings,
  IN_PROGRESS_STATUSES,
  type ReadingChange,
  type SourceType,
} from '@docent/contract/sources.ts'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { changeFields, fromNow, withoutFields } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'
import { listReader } from '../../database/rows/list-reader.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { notFound } from '../../errors.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import { deleteTogether } from '../owners/delete-together.store.ts'
import { hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import { insertForChatbot } from '../owners/insert-for-chatbot.store.ts'

export const HOUR_MS = 3_600_000

export type Source = Row<'sources'>

/** A JSON object: a pair's question and answer or a link's URL, and what the worker learned about the source. */
export type SourceMeta = Record<string, unknown> & {
  url?: string
  question?: string
  answer?: string
  /** Why it failed, in English. Sources of earlier versions have only this, without a code. */
  error?: string
  error_code?: string
  error_params?: Record<string, unknown>
  /** Why and for how long the source is postponed. */
  waiting?: string
  /** Reads a whole site as a single source. */
  crawl?: CrawlSettings | undefined
  /** Reads the source again after this many hours. */
  refresh_hours?: number | undefined
  /** The pause that the site asked for at the last reading. */
  pause_seconds?: number
}

/** Meta fields that say how a link is read. The owner writes them, the worker writes all others. */
export const READING_FIELDS = ['crawl', 'refresh_hours'] as const

export function metaOf(source: Source): SourceMeta {
  return JSON.parse(source.meta)
}

/** Describes the progress on a source, for `meta_json`. */
export function progressOf(of: 'pages' | 'passages', done: number, found: number) {
  const percent = Math.floor((100 * done) / Math.max(found, 1))
  return { progress: { percent, done, found, of } }
}

export interface NewSource {
  type: SourceType
  title: string
  meta: SourceMeta
  file?: { name: string; content: Uint8Array }
}

/** The row is its own job, due from the start. */
export async function createSource(
  db: Database,
  chatbot: Owned<Chatbot>,
  { type, title, meta, file }: NewSource,
): Promise<Source> {
  const now = Date.now()
  const source: Source = {
    id: newId(),
    chatbot_id: chatbot.id,
    owner_id: chatbot.owner_id,
    type,
    title,
    title_chosen: 0,
    status: 'await',
    file_name: file?.name ?? '',
    file_size: file?.content.length ?? 0,
    tokens: 0,
    meta: JSON.stringify(meta),
    attempts: 0,
    claim_id: null,
    due_at: now,
    created_at: now,
    modified_at: now,
  }
  const values = { ...source, due_at: fromNow(db) }
  const queries = [db.insertInto('sources').values(values).compile()]
  if (file) {
    const row = { source_id: source.id, content: file.content }
    queries.push(db.insertInto('source_files').values(row).compile())
  }
  await insertForChatbot(db, chatbot.id, queries)
  return source
}

export async function getOwnedSource(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Source>> {
  const source = await ownedSources(db, ownerId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('data source'))
  return asOwned(source)
}

/** Returns the sources among the given ids that belong to the owner. */
export async function findOwnedSources(db: Database, ownerId: string, ids: string[]) {
  return (await ownedSources(db, ownerId).where('id', 'in', ids).execute()).map(asOwned)
}

function ownedSources(db: Database, ownerId: string) {
  return db
    .selectFrom('sources')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
}

export const readSources = listReader('sources', {
  parent: 'chatbot_id',
  texts: ['title', 'meta'],
})

export async function renameSource(
  db: Database,
  ownerId: string,
  id: string,
  title: string,
): Promise<Source> {
  return db
    .updateTable('sources')
    .set({ title, title_chosen: 1, modified_at: Date.now() })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('data source'))
}

/**
 * Changes only the given fields. One statement, so that concurrent changes both take effect. The settings apply from
 * the next reading on. The next reading never moves to a later time, unless readings are turned off.
 */
export async function changeReading(
  db: Database,
  { id }: Owned<Source>,
  { crawl = {}, refresh_hours }: ReadingChange,
): Promise<Source> {
  const limits = Object.entries(crawl)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [['crawl', name], value] as const)
  const hours = [['refresh_hours'], refresh_hours ?? undefined] as const
  const changes = refresh_hours === undefined ? limits : [...limits, hours]
  return db
    .updateTable('sources')
    .set({ meta: changeFields(db, 'meta', changes), modified_at: Date.now() })
    .$if(refresh_hours !== undefined, (query) => query.set(nextReading(db, refresh_hours!)))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('data source'))
}

/** Schedules sources that are settled. Waiting and running sources get their next time when they are done. */
function nextReading(db: Database, hours: number | null) {
  const next = hours === null ? sql<null>`NULL` : fromNow(db, hours * HOUR_MS)
  const isRead = sql<boolean>`status NOT IN (${sql.join(IN_PROGRESS_STATUSES)})`
  return {
    due_at: sql<
      number | null
    >`CASE WHEN NOT ${isRead} OR due_at < ${next} THEN due_at ELSE ${next} END`,
    attempts: sql<number>`CASE WHEN ${isRead} THEN 0 ELSE attempts END`,
  }
}

/** Queues sources to be read again. Their passages stay until then. */
export async function restartSources(db: Database, sources: Owned<Source>[]): Promise<void> {
  const ids = sources.map(({ id }) => id)
  await db
    .updateTable('sources')
    .set({
      status: 'await',
      meta: withoutFields(db, 'meta', ['error', 'error_code', 'error_params', 'waiting']),
      attempts: 0,
      claim_id: null,
      due_at: fromNow(db),
      modified_at: Date.now(),
    })
    .where('id', 'in', ids)
    .execute()
}

/** The schema's cascades delete texts, passages and index entries. */
export function deleteSources(db: Database, sources: Owned<Source>[]): Promise<boolean> {
  return deleteTogether(db, 'sources', sources)
}

export async function getSourceFile(db: Database, sourceId: string): Promise<Uint8Array> {
  const file = await db
    .selectFrom('source_files')
    .select('content')
    .where('source_id', '=', sourceId)
    .executeTakeFirstOrThrow()
  return file.content
}
