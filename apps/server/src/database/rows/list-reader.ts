import { type AliasedRawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { prepareQuery } from '../prepare-query.ts'
import type { Row } from '../tables.ts'

export const PAGE_ROWS = 200
const PAGE_BYTES = 1_000_000
const MOST_KEPT_BYTES = 65_536

type ListedTable =
  | 'chatbots'
  | 'messages'
  | 'passages'
  | 'sessions'
  | 'sources'
  | 'webhook_deliveries'

export type ListId = string | number

export interface ListedSize {
  id: ListId
  /** Total bytes of its long columns. */
  size: number
}

/** Reads a list in pages by key, so a page costs the same wherever it starts. */
export interface ListReader<T> {
  listSizes(page: { after: ListId | undefined; limit: number }): Promise<readonly ListedSize[]>
  /** The rows up to `until`, whose long columns have `bytes` bytes together. */
  listRows(page: { after: ListId | undefined; until: ListId; bytes: number }): Promise<readonly T[]>
}

interface ListOptions {
  /** The column with the parent's id. */
  parent: string
  /** Columns with long texts. */
  texts: readonly string[]
  isNewestFirst?: boolean
  /** Caches small lists until the next write, because they are read often. */
  isKept?: boolean
  /** A key before the first row. */
  start?: ListId
  /** Replaces a column of the table. */
  instead?: AliasedRawBuilder<unknown, string>
}

/** Creation time of rows in milliseconds. Both ends are inclusive. */
export interface CreatedBetween {
  from?: number | undefined
  until?: number | undefined
}

type Values = [parent: string, after: ListId, from: number, until: number, untilId: string]

/** Prepares the queries for one table. The returned function creates the reader of one list. */
export function listReader<Table extends ListedTable>(
  table: Table,
  { parent, texts, instead, ...options }: ListOptions,
): (db: Database, parentId: string, created?: CreatedBetween) => ListReader<Row<Table>> {
  const { isNewestFirst = false, isKept = false } = options
  const { start = isNewestFirst ? LAST_ID : FIRST_ID } = options
  const [beyond, upTo] = isNewestFirst ? (['<', '>='] as const) : (['>', '<='] as const)
  // Both stores know the length of a long text without reading it.
  const lengths = texts.map((column) => sql`octet_length(${sql.ref(column)})`)
  const size = sql<number>`${sql.join([sql.lit(0), ...lengths], sql` + `)}`.as('size')

  // All these tables share these columns, so one table's type stands for all.
  const rows = (db: Database, ...[parentId, after, from, until, untilId]: Values) =>
    db
      .selectFrom(table as 'messages')
      .where(sql.ref(parent), '=', parentId)
      .where('id', beyond, after as string)
      .$if(table === 'sessions', (query) =>
        query
          .where('created_at', '>=', from)
          .where('created_at', '<=', until)
          // Ids start with a timestamp, so the index skips rows far outside the range.
          .where('id', '<=', untilId),
      )
      .orderBy('id', isNewestFirst ? 'desc' : 'asc')
  const sizesOfPage = prepareQuery((db, ...values: Values) =>
    rows(db, ...values)
      .select(['id', size])
      .limit(sql.lit(PAGE_ROWS + 1)),
  )
  const sizes = prepareQuery((db, limit: number, ...values: Values) =>
    rows(db, ...values)
      .select(['id', size])
      .limit(limit),
  )
  const rowsOfPage = prepareQuery((db, last: ListId, ...values: Values) =>
    rows(db, ...values)
      .selectAll()
      .$if(instead !== undefined, (query) => query.select(instead!))
      .where('id', upTo, last as string),
  )
  return (db, parentId, created = {}) => ({
    async listSizes({ after = start, limit }) {
      const values = valuesOf(parentId, after, created)
      if (limit !== PAGE_ROWS + 1)
        return (await db.executeQuery(sizes.with(db, limit, ...values))).rows
      if (isKept) return sizesOfPage.read(db, ...values)
      return (await db.executeQuery(sizesOfPage.with(db, ...values))).rows
    },
    async listRows({ after = start, until: last, bytes }) {
      const values = valuesOf(parentId, after, created)
      const found =
        isKept && bytes <= MOST_KEPT_BYTES
          ? await rowsOfPage.read(db, last, ...values)
          : (await db.executeQuery(rowsOfPage.with(db, last, ...values))).rows
      return found as unknown as Row<Table>[]
    },
  })
}

/** Tolerance between the time in an id and `created_at`. */
const CLOCK_SLACK_MS = 60_000
const LATEST_MS = 0xff_ff_ff_ff_ff_ff

/** A key below all ids of this time and above all earlier ones. */
function idAt(time: number): string {
  const within = Math.min(Math.max(0, Math.trunc(time)), LATEST_MS)
  return within === LATEST_MS ? LAST_ID : within.toString(16).padStart(12, '0')
}

/**
 * Merges the cursor and the time range into one bound per end. The index uses only one and would filter rows by any
 * other.
 */
function valuesOf(
  parentId: string,
  after: ListId,
  { from = 0, until = LATEST_MS }: CreatedBetween,
): Values {
  const earliest = idAt(from - CLOCK_SLACK_MS)
  const begin = from > 0 && earliest > after ? earliest : after
  return [parentId, begin, from, until, idAt(until + CLOCK_SLACK_MS)]
}

const FIRST_ID = ''
/** Above every id, because ids are hexadecimal. */
const LAST_ID = 'z'

export interface ListPage<T> {
  rows: readonly T[]
  /** The cursor of the next page. Undefined on the last page. */
  next: ListId | undefined
}

/** Reads up to `limit` rows and `bytes` bytes, but at least one row. */
export async function readPage<T>(
  reader: ListReader<T>,
  after: ListId | undefined,
  limit = PAGE_ROWS,
  bytes = PAGE_BYTES,
): Promise<ListPage<T>> {
  const sizes = await reader.listSizes({ after, limit: limit + 1 })
  const count = countFitting(sizes.slice(0, limit), bytes)
  if (count === 0) return { rows: [], next: undefined }
  const rows = await readFirst(reader, after, sizes.slice(0, count))
  return { rows, next: count < sizes.length ? sizes[count - 1]!.id : undefined }
}

export async function readFirst<T>(
  reader: ListReader<T>,
  after: ListId | undefined,
  sizes: readonly ListedSize[],
): Promise<readonly T[]> {
  const until = sizes.at(-1)?.id
  if (until === undefined) return []
  const bytes = sizes.reduce((sum, { size }) => sum + size, 0)
  return reader.listRows({ after, until, bytes })
}

/** How many rows from the start fit into one page. */
export function countFitting(sizes: readonly ListedSize[], most = PAGE_BYTES): number {
  let bytes = 0
  for (const [index, { size }] of sizes.entries()) {
    bytes += size
    if (bytes > most || index === PAGE_ROWS) return Math.max(1, index)
  }
  return sizes.length
}

/** Reads up to `limit` rows, page by page. */
export async function readRows<T>(
  reader: ListReader<T>,
  after: ListId | undefined,
  limit: number,
): Promise<T[]> {
  const found: T[] = []
  let from = after
  do {
    const { rows, next } = await readPage(reader, from, Math.min(PAGE_ROWS, limit - found.length))
    found.push(...rows)
    from = next
  } while (from !== undefined && found.length < limit)
  return found
}
