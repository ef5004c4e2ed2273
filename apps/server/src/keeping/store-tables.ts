import { createHash, hash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'

// What a store holds, table by table, for whoever copies all of it. The order is that in which rows need each other.

export interface StoreTable {
  name: string
  key: readonly string[]
  /** A row never changes, and may be large: it is looked at one at a time. */
  isFinal?: true
  /** Of a final row that may go and come back: by what it is told from the one before. */
  stamp?: string
}

export const STORE_TABLES: readonly StoreTable[] = [
  { name: 'former_behavior', key: ['name'] },
  { name: 'users', key: ['id'] },
  { name: 'sign_ins', key: ['id'] },
  { name: 'tokens', key: ['id'] },
  { name: 'chatbots', key: ['id'] },
  { name: 'widgets', key: ['chatbot_id'] },
  { name: 'sources', key: ['id'] },
  { name: 'source_files', key: ['source_id'], isFinal: true },
  { name: 'revisions', key: ['source_id', 'hash'], isFinal: true, stamp: 'created_at' },
  { name: 'revision_pieces', key: ['source_id', 'hash', 'starts_at'], isFinal: true },
  { name: 'source_pages', key: ['source_id', 'url'] },
  { name: 'source_visits', key: ['source_id', 'url'] },
  { name: 'source_sitemaps', key: ['source_id', 'url'] },
  { name: 'sessions', key: ['id'] },
  { name: 'visitors', key: ['session_id'] },
  { name: 'messages', key: ['id'] },
  { name: 'settled_questions', key: ['message_id'] },
  { name: 'message_parts', key: ['message_id', 'position'] },
  { name: 'question_keys', key: ['session_id', 'key'] },
  { name: 'token_usage', key: ['chatbot_id', 'month'] },
  { name: 'webhooks', key: ['id'] },
  // The last: a copy of what ended makes the triggers of the new store tell it again, and this takes that back.
  { name: 'webhook_deliveries', key: ['id'] },
]

/**
 * Has a way of its own (passages and their vectors), follows from the rest, or is worth nothing after a while: who is there,
 * and what limits count, which begins anew.
 */
export const OTHER_TABLES: readonly string[] = [
  ...['passages', 'passage_vectors', 'embedders'],
  ...['passage_words', 'passage_terms', 'passage_counts', 'word_counts', 'hidden_builds'],
  ...[
    'message_totals',
    'token_reservations',
    'rate_hits',
    'request_counts',
    'nodes',
    'running_answers',
    'duties',
    'shared_values',
  ],
  ...['kysely_migration', 'kysely_migration_lock'],
]

export type Row = Record<string, unknown>
type AnyStore = Kysely<Record<string, Row>>

/** For tables that are known by their names only. */
export function anyTable(db: Database): AnyStore {
  return db as unknown as AnyStore
}

const BATCH_ROWS = 200

/** A batch of the rows after a key, up to another one if that is given. Both stores order keys byte by byte. */
export function readRows(
  db: Database,
  { name, key, isFinal }: StoreTable,
  after: Row | undefined,
  upTo: Row | 'a batch' | 'the end',
): Promise<Row[]> {
  const values = (row: Row) => sql.join(key.map((column) => row[column]))
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const compare = (how: RawBuilder<unknown>, row: Row) =>
    sql<boolean>`(${columns}) ${how} (${values(row)})`
  let query = anyTable(db).selectFrom(name).selectAll()
  if (after) query = query.where(compare(sql`>`, after))
  if (typeof upTo === 'object') query = query.where(compare(sql`<=`, upTo))
  if (upTo === 'a batch') query = query.limit(isFinal ? 1 : BATCH_ROWS)
  for (const column of key) query = query.orderBy(column)
  return query.execute()
}

/** A row as both stores would write it. */
export function canonical(row: Row): string {
  const fields = Object.keys(row).sort()
  return JSON.stringify(fields.map((field) => [field, comparable(row[field])]))
}

function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return hash('sha256', value)
  // PostgreSQL has no such character.
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  return value
}

export interface Digest {
  rows: number
  sha256: string
}

export async function digestTable(db: Database, table: StoreTable): Promise<Digest> {
  const all = createHash('sha256')
  let rows = 0
  let after: Row | undefined
  for (;;) {
    const batch = await readRows(db, table, after, 'a batch')
    after = batch.at(-1)
    if (!after) return { rows, sha256: all.digest('hex') }
    for (const row of batch) all.update(`${canonical(row)}\n`)
    rows += batch.length
  }
}
