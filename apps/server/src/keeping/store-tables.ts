import { createHash, hash } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'

// All tables to copy, parents before children.

export interface StoreTable {
  name: string
  key: readonly string[]
  /** Rows never change and may be large, so they are compared by key and copied one at a time. */
  isFinal?: true
  /** A column that distinguishes a final row from a deleted row with the same key. */
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
  // Last, because copied messages and sources fire the target's triggers again. Copying this table removes those
  // deliveries.
  { name: 'webhook_deliveries', key: ['id'] },
]

export type Row = Record<string, unknown>
type AnyStore = Kysely<Record<string, Row>>

/** Allows queries with table names at run time. */
export function anyTable(db: Database): AnyStore {
  return db as unknown as AnyStore
}

const BATCH_ROWS = 200

/** Reads rows after a key in key order: one batch, up to another key, or all. Both stores compare keys byte by byte. */
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

/** A representation that is the same for both stores. */
export function canonical(row: Row): string {
  const fields = Object.keys(row).sort()
  return JSON.stringify(fields.map((field) => [field, comparable(row[field])]))
}

function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return hash('sha256', value)
  // PostgreSQL can't store NUL characters.
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
