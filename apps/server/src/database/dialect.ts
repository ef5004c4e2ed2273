import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database, UnitStatement } from './database.ts'
import { prepareQuery } from './prepare-query.ts'

// Both stores run the same queries. This file holds the expressions that they spell differently.

export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Locks keys until the unit is written, so that its counts stay correct. SQLite needs no lock because it writes one
 * unit at a time.
 */
export function lockKeys(db: Database, keys: readonly string[]): UnitStatement[] {
  if (!isPostgres(db)) return []
  // A fixed order prevents deadlocks.
  return keys.toSorted().map((key) => ({ query: lockKey.with(db, key) }))
}

const lockKey = prepareQuery((db, key: string) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`.as('locked')),
)

/** A subquery with one value per row. */
export function listOf(db: Database, values: Iterable<string>): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(SELECT unnest(${[...values]}::text[]))`
    : sql`(SELECT value FROM json_each(${JSON.stringify([...values])}))`
}

/** Merges a JSON patch into a JSON column. */
export function mergeJson(db: Database, column: string, patch: string): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(as_json(${sql.ref(column)}) || as_json(${patch}))::text`
    : sql`json_patch(${sql.ref(column)}, ${patch})`
}

export function withoutFields(
  db: Database,
  column: string,
  fields: readonly string[],
): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(as_json(${sql.ref(column)}) - ${[...fields]}::text[])::text`
    : sql`json_remove(${sql.ref(column)}, ${sql.join(fields.map((field) => `$.${field}`))})`
}

/** Sets or removes (undefined) fields of a JSON column by path. */
export function changeFields(
  db: Database,
  column: string,
  changes: readonly (readonly [path: readonly string[], value: unknown])[],
): RawBuilder<string> {
  const isRemoved = (value: unknown) => value === undefined
  if (isPostgres(db)) {
    const changed = changes.reduce(
      (json, [path, value]) =>
        isRemoved(value)
          ? sql`(${json} #- ${[...path]}::text[])`
          : sql`jsonb_set(${json}, ${[...path]}::text[], as_json(${JSON.stringify(value)}))`,
      sql`as_json(${sql.ref(column)})`,
    )
    return sql`(${changed})::text`
  }
  return changes.reduce<RawBuilder<string>>(
    (json, [path, value]) => {
      const place = `$.${path.join('.')}`
      return isRemoved(value)
        ? sql`json_remove(${json}, ${place})`
        : sql`json_set(${json}, ${place}, json(${JSON.stringify(value)}))`
    },
    sql`${sql.ref(column)}`,
  )
}

/**
 * Returns `json` with some fields taken from the current column, or removed if the column lacks them. PostgreSQL would
 * reformat the JSON, so the text stays unchanged if these fields are equal.
 */
export function keepFields(
  db: Database,
  column: string,
  fields: readonly string[],
  json: string,
): RawBuilder<string> {
  const objects = isPostgres(db)
    ? { kept: sql`as_json(${sql.ref(column)})`, given: sql`as_json(${json})` }
    : { kept: sql.ref(column), given: sql`${json}` }
  const pairs = fields.map((field) => sql`${sql.lit(field)}, ${objects.kept} -> ${sql.lit(field)}`)
  const kept = sql.join(pairs)
  if (!isPostgres(db)) return sql`json_patch(${objects.given}, json_object(${kept}))`
  const isSame = fields.map(
    (field) =>
      sql`${objects.kept} -> ${sql.lit(field)} IS NOT DISTINCT FROM ${objects.given} -> ${sql.lit(field)}`,
  )
  return sql`CASE WHEN ${sql.join(isSame, sql` AND `)} THEN ${json} ELSE
    (${objects.given} - ${[...fields]}::text[] || jsonb_strip_nulls(jsonb_build_object(${kept})))::text END`
}

/** A field of a JSON column. PostgreSQL returns text, SQLite the JSON value's own type. */
export function jsonField(
  db: Database,
  column: string,
  ...path: [string, ...string[]]
): RawBuilder<unknown> {
  const steps = path.map((step, i) => sql.raw(`${i < path.length - 1 ? '->' : '->>'} '${step}'`))
  const object = isPostgres(db) ? sql`as_json(${sql.ref(column)})` : sql.ref(column)
  return sql`${object} ${sql.join(steps, sql` `)}`
}

/** A number in a JSON column. Null if missing. */
export function jsonNumber(
  db: Database,
  column: string,
  ...path: [string, ...string[]]
): RawBuilder<number | null> {
  const field = jsonField(db, column, ...path)
  return isPostgres(db) ? sql`(${field})::numeric` : sql`${field}`
}

/** True if the field is present and false. */
export function jsonIsFalse(db: Database, column: string, field: string): RawBuilder<boolean> {
  const value = jsonField(db, column, field)
  if (!isPostgres(db)) return sql`coalesce(${value} = 0, false)`
  // Parsing JSON is much slower than a text search, so PostgreSQL parses only rows that contain the words.
  const words = [`"${field}":false`, `"${field}": false`].map(
    (text) => sql`strpos(${sql.ref(column)}, ${sql.lit(text)}) > 0`,
  )
  return sql`((${sql.join(words, sql` OR `)}) AND coalesce(${value} = 'false', false))`
}

/** Aggregates the values of a group into a JSON array. */
export function jsonArrayOf(db: Database, column: string): RawBuilder<string> {
  return isPostgres(db)
    ? sql`json_agg(${sql.ref(column)} ORDER BY ${sql.ref(column)})::text`
    : sql`json_group_array(${sql.ref(column)})`
}

/** True if the columns contain every word, ignoring case. Words contain no spaces and match literally. */
export function holdsAll(
  db: Database,
  columns: readonly string[],
  words: readonly string[],
): RawBuilder<boolean> {
  const small = words.map((word) => word.toLowerCase())
  const text = sql.join(
    columns.map((column) => sql.ref(column)),
    sql` || ' ' || `,
  )
  if (!isPostgres(db)) return sql`holds_all(${text}, ${small.join(' ')})`
  const patterns = small.map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)
  // ICU lowercases by Unicode rules, as JavaScript does, whatever the server's locale.
  return sql`lower((${text}) COLLATE "und-x-icu") LIKE ALL (${patterns}::text[])`
}

/**
 * A condition that is true until the query is canceled. SQLite evaluates it for every row, so it interrupts long
 * queries.
 */
export function isWanted(db: Database, table: string, column = 'rowid'): RawBuilder<boolean> {
  // Without a column argument, SQLite evaluates the function only for the outermost table.
  return isPostgres(db) ? sql`true` : sql`is_wanted(${sql.ref(`${table}.${column}`)})`
}

/**
 * The time in `ms` milliseconds by the clock that schedules jobs. PostgreSQL uses the database's clock, because the
 * clocks of nodes may differ.
 */
export function fromNow(db: Database, ms = 0): RawBuilder<number> {
  // PostgreSQL evaluates a scalar subquery once and can use its result with an index.
  return isPostgres(db) ? sql`((SELECT now_ms()) + ${ms}::bigint)` : sql`${Date.now() + ms}`
}

/** A join that starts with its first table. */
export function joinInOrder(db: Database): RawBuilder<unknown> {
  // CROSS JOIN fixes the join order in SQLite. PostgreSQL's planner needs no hint.
  return isPostgres(db) ? sql`JOIN` : sql`CROSS JOIN`
}
