import {
  type CrawlSettings,
  type ReadingChange,
  type SourceType,
  UNSETTLED,
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
import { insertUnder } from '../owners/insert-under.store.ts'

export const HOUR_MS = 3_600_000

export type Source = Row<'sources'>

/** A JSON object: question and answer of a Q&A pair, the URL of a link, and what was learned of it. */
export type SourceMeta = Record<string, unknown> & {
  url?: string
  question?: string
  answer?: string
  /** Why it failed, in English, and what the sentence is made of. Of an earlier version there is the sentence alone. */
  error?: string
  error_code?: string
  error_params?: Record<string, unknown>
  /** Why it is put off, and for how long. */
  waiting?: string
  /** Makes one source of a whole site. */
  crawl?: CrawlSettings | undefined
  /** Reads it again after so many hours. */
  refresh_hours?: number | undefined
  /** For how long its site asked to be left alone the last time. */
  pause_seconds?: number
}

/** The fields of a link's meta that say how it is to be read: its owner's, while all others are the worker's. */
export const READING_FIELDS = ['crawl', 'refresh_hours'] as const

export function metaOf(source: Source): SourceMeta {
  return JSON.parse(source.meta)
}

/** How far the work on a source has come, for `meta_json`. */
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

/** The row is its own job: it is due from the moment that it exists. */
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
  await insertUnder(db, chatbot.id, queries)
  return source
}

export async function getOwnedSource(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Source>> {
  const source = await db
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .executeTakeFirst()
  if (!source) throw notFound('data source')
  return asOwned(source)
}

/** Those of the given ids that are there and the owner's. */
export async function findOwnedSources(db: Database, ownerId: string, ids: string[]) {
  const sources = await db
    .selectFrom('sources')
    .selectAll()
    .where('id', 'in', ids)
    .where('owner_id', '=', ownerId)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .execute()
  return sources.map(asOwned)
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
  const source = await db
    .updateTable('sources')
    .set({ title, title_chosen: 1, modified_at: Date.now() })
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('chatbot_id', 'not in', hiddenChatbots(db))
    .returningAll()
    .executeTakeFirst()
  if (!source) throw notFound('data source')
  return source
}

/**
 * Changes only what is named, in one statement, so that two changes at once both take effect. It counts from the next
 * reading on, which comes no later than it would have unless there is to be none.
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
  const source = await db
    .updateTable('sources')
    .set({ meta: changeFields(db, 'meta', changes), modified_at: Date.now() })
    .$if(refresh_hours !== undefined, (query) => query.set(nextReading(db, refresh_hours!)))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!source) throw notFound('data source')
  return source
}

/** For what has been read, well or not. What waits or is in work is told when that is done. */
function nextReading(db: Database, hours: number | null) {
  const next = hours === null ? sql<null>`NULL` : fromNow(db, hours * HOUR_MS)
  const isRead = sql<boolean>`status NOT IN (${sql.join(UNSETTLED)})`
  return {
    due_at: sql<
      number | null
    >`CASE WHEN NOT ${isRead} OR due_at < ${next} THEN due_at ELSE ${next} END`,
    attempts: sql<number>`CASE WHEN ${isRead} THEN 0 ELSE attempts END`,
  }
}

/** Queues sources to be taken in again. What was found in them before serves until then. */
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

/** Text, passages and index entries go with them, by the schema's cascades. */
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
