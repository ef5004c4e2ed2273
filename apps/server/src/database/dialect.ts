import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database, UnitStatement } from './database.ts'
import { prepareQuery } from './prepare-query.ts'

// Both stores run the same queries. What one of them spells differently has a name here.

export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Keeps others who ask for the same key waiting until the unit has been written, so that what it counts stays so. SQLite
 * writes one unit after the other anyway.
 */
export function lockKeys(db: Database, keys: readonly string[]): UnitStatement[] {
  if (!isPostgres(db)) return []
  // In the same order everywhere: two that wait for each other would wait for ever.
  return keys.toSorted().map((key) => ({ query: lockKey.with(db, key) }))
}

const lockKey = prepareQuery((db, key: string) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`.as('locked')),
)

/** A query of these values, one a row. */
export function listOf(db: Database, values: Iterable<string>): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(SELECT unnest(${[...values]}::text[]))`
    : sql`(SELECT value FROM json_each(${JSON.stringify([...values])}))`
}

/** A JSON object with the fields of another in place of its own. */
export function mergeJson(db: Database, column: string, patch: string): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(as_json(${sql.ref(column)}) || as_json(${patch}))::text`
    : sql`json_patch(${sql.ref(column)}, ${patch})`
}

/** A JSON object without some of its fields. */
export function withoutFields(
  db: Database,
  column: string,
  fields: readonly string[],
): RawBuilder<string> {
  return isPostgres(db)
    ? sql`(as_json(${sql.ref(column)}) - ${[...fields]}::text[])::text`
    : sql`json_remove(${sql.ref(column)}, ${sql.join(fields.map((field) => `$.${field}`))})`
}

/** A JSON object with other values in some of its fields, named by their paths; undefined takes a field away. */
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
 * A JSON object with some fields as the column has them now, or without those that it has not. PostgreSQL would write it
 * its own way, so it stays as it is where they are the same.
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

/** A field of a JSON object: as text or, in SQLite, as the number that it is. */
export function jsonField(
  db: Database,
  column: string,
  ...path: [string, ...string[]]
): RawBuilder<unknown> {
  const steps = path.map((step, i) => sql.raw(`${i < path.length - 1 ? '->' : '->>'} '${step}'`))
  const object = isPostgres(db) ? sql`as_json(${sql.ref(column)})` : sql.ref(column)
  return sql`${object} ${sql.join(steps, sql` `)}`
}

/** A number of a JSON object; null where there is none. */
export function jsonNumber(
  db: Database,
  column: string,
  ...path: [string, ...string[]]
): RawBuilder<number | null> {
  const field = jsonField(db, column, ...path)
  return isPostgres(db) ? sql`(${field})::numeric` : sql`${field}`
}

/** Whether a JSON object says that something is not so. */
export function jsonIsFalse(db: Database, column: string, field: string): RawBuilder<boolean> {
  const value = jsonField(db, column, field)
  if (!isPostgres(db)) return sql`coalesce(${value} = 0, false)`
  // Only what may say so is read as JSON, which takes much longer than to look for the words.
  const words = [`"${field}":false`, `"${field}": false`].map(
    (text) => sql`strpos(${sql.ref(column)}, ${sql.lit(text)}) > 0`,
  )
  return sql`((${sql.join(words, sql` OR `)}) AND coalesce(${value} = 'false', false))`
}

/** Values of a group as a JSON array. */
export function jsonArrayOf(db: Database, column: string): RawBuilder<string> {
  return isPostgres(db)
    ? sql`json_agg(${sql.ref(column)} ORDER BY ${sql.ref(column)})::text`
    : sql`json_group_array(${sql.ref(column)})`
}

/**
 * Whether all of these words are in the columns of a row, in large or small letters. None of them has a space in it, and
 * none is a pattern.
 */
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
  // By the rules of Unicode, as JavaScript does it, whichever language the server was set up in.
  return sql`lower((${text}) COLLATE "und-x-icu") LIKE ALL (${patterns}::text[])`
}

/** A condition that holds for as long as the result is waited for. Each row that a long query looks at has to meet it. */
export function isWanted(db: Database, table: string, column = 'rowid'): RawBuilder<boolean> {
  // Without a column, SQLite would ask only for each row of the outermost table.
  return isPostgres(db) ? sql`true` : sql`is_wanted(${sql.ref(`${table}.${column}`)})`
}

/**
 * So many milliseconds from now, by the clock that work waits by: the one of PostgreSQL, as each of its nodes has a clock
 * of its own, which may be wrong.
 */
export function fromNow(db: Database, ms = 0): RawBuilder<number> {
  // A query of its own is run once, and an index can be asked for what it gives.
  return isPostgres(db) ? sql`((SELECT now_ms()) + ${ms}::bigint)` : sql`${Date.now() + ms}`
}

/** A join whose first table is the one to begin with. */
export function joinInOrder(db: Database): RawBuilder<unknown> {
  // SQLite goes through the first table first if it is told so; PostgreSQL knows by itself.
  return isPostgres(db) ? sql`JOIN` : sql`CROSS JOIN`
}
