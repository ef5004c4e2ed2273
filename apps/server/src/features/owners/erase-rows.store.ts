import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isPostgres, listOf } from '../../database/dialect.ts'

// A cascade over many rows is a single long write, which blocks all other writes. So child rows are deleted first, in
// batches.

/** The limits of a write. It takes a few milliseconds, even if every byte is overwritten. */
export const ROWS_AT_ONCE = 200
export const BYTES_AT_ONCE = 1_000_000
const SHORTEST_PAUSE_MS = 2

export interface Erasable {
  table: string
  /** The column with the id of the parent row. */
  parent: string
  /** The columns that identify a row. */
  key: readonly [string, ...string[]]
  /** The columns of the index that finds the rows of a parent. Defaults to the parent and the key. */
  order?: readonly string[]
  /** Columns with long values. */
  texts?: readonly string[]
}

export const MESSAGES: Erasable = {
  table: 'messages',
  parent: 'session_id',
  key: ['id'],
  texts: ['query', 'response', 'citations', 'meta'],
}

const PASSAGES: Erasable = {
  table: 'passages',
  parent: 'source_id',
  key: ['id'],
  order: ['source_id', 'page_url', 'build', 'position'],
  texts: ['text', 'words'],
}

const OF_SOURCE = { parent: 'source_id' }
export const OF_SOURCES: readonly Erasable[] = [
  PASSAGES,
  {
    ...OF_SOURCE,
    table: 'revision_pieces',
    key: ['source_id', 'hash', 'starts_at'],
    texts: ['packed'],
  },
  { ...OF_SOURCE, table: 'revisions', key: ['source_id', 'hash'], texts: ['text'] },
  { ...OF_SOURCE, table: 'source_pages', key: ['source_id', 'url'] },
  { ...OF_SOURCE, table: 'source_visits', key: ['source_id', 'url'], texts: ['links'] },
  { ...OF_SOURCE, table: 'source_sitemaps', key: ['source_id', 'url'], texts: ['lists'] },
  { ...OF_SOURCE, table: 'hidden_builds', key: ['build'], order: ['source_id'] },
  // Last, since a source that is not fully erased is read again from its file.
  { ...OF_SOURCE, table: 'source_files', key: ['source_id'], texts: ['content'] },
]

export const DELIVERIES: Erasable = {
  table: 'webhook_deliveries',
  parent: 'webhook_id',
  key: ['id'],
}
/** PostgreSQL only. While these rows exist, each deleted passage also decrements counts in them. */
export const WORD_COUNTS: Erasable = {
  table: 'word_counts',
  parent: 'chatbot_id',
  key: ['chatbot_id', 'word'],
}

/** Whether deleting these parents would erase more than a few rows in a single write. */
export async function hasMany(db: Database, child: Erasable, parents: string[]): Promise<boolean> {
  const rows = await listSizes(db, child, parents)
  return rows.length === ROWS_AT_ONCE || countFitting(rows) < rows.length
}

/** Erases rows under these parents until few are left, which a cascade can delete. */
export async function eraseMost(
  db: Database,
  children: readonly Erasable[],
  parents: string[],
): Promise<void> {
  for (const child of children)
    while (await hasMany(db, child, parents)) await withPause(() => eraseRows(db, child, parents))
}

/** Pauses as long as the write took, so that others can write at least half of the time. */
export async function withPause<T>(write: () => Promise<T>, stopping?: AbortSignal): Promise<T> {
  const started = performance.now()
  const result = await write()
  const pauseMs = Math.max(SHORTEST_PAUSE_MS, performance.now() - started)
  await sleep(pauseMs, undefined, { signal: stopping }).catch(() => {})
  return result
}

/** Erases some of the rows under these parents. Returns how many, 0 if none were left. */
export async function eraseRows(db: Database, child: Erasable, parents: string[]): Promise<number> {
  const count = countFitting(await listSizes(db, child, parents))
  if (count === 0) return 0
  const keys = listed(child.key)
  await sql`
    DELETE FROM ${sql.table(child.table)}
    WHERE (${keys}) IN (${someOf(db, child, parents, keys, count)})`.execute(db)
  return count
}

async function listSizes(
  db: Database,
  child: Erasable,
  parents: string[],
): Promise<readonly { size: number }[]> {
  const lengths = (child.texts ?? []).map((column) => sql`octet_length(${sql.ref(column)})`)
  const size = sql`${sql.join([sql.lit(0), ...lengths], sql` + `)} AS size`
  return (await someOf(db, child, parents, size, ROWS_AT_ONCE).execute(db)).rows
}

function someOf(
  db: Database,
  { table, parent, key, order = [...new Set([parent, ...key])] }: Erasable,
  parents: string[],
  what: RawBuilder<unknown>,
  limit: number,
): RawBuilder<{ size: number }> {
  return sql`
    SELECT ${what} FROM ${sql.table(table)} WHERE ${sql.ref(parent)} ${isAnyOf(db, parents)}
    ORDER BY ${listed(order)} LIMIT ${sql.lit(limit)}`
}

/** PostgreSQL uses the index for the values of an array, but may scan the whole table for those of a query. */
function isAnyOf(db: Database, ids: string[]): RawBuilder<unknown> {
  return isPostgres(db) ? sql`= ANY(${ids}::text[])` : sql`IN ${listOf(db, ids)}`
}

function listed(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)))
}

/** How many of the first rows fit into a write, at least one. */
function countFitting(rows: readonly { size: number }[]): number {
  let bytes = 0
  const tooMany = rows.findIndex(({ size }) => {
    bytes += size
    return bytes > BYTES_AT_ONCE
  })
  return tooMany === -1 ? rows.length : Math.max(1, tooMany)
}
