import { sql } from 'kysely'
import { type Database, runTogether, type UnitStatement } from '../database/database.ts'
import { anyTable, canonical, type Row, readRows, type StoreTable } from './store-tables.ts'

/**
 * Makes the target's table equal and writes only differences, so that an interrupted copy can continue and a repeated
 * copy is fast. Returns how many rows it wrote or removed.
 */
export function copyTable(from: Database, to: Database, table: StoreTable): Promise<number> {
  return table.isFinal ? copyFinalRows(from, to, table) : copyRows(from, to, table)
}

async function copyRows(from: Database, to: Database, table: StoreTable): Promise<number> {
  let changes = 0
  let after: Row | undefined
  for (;;) {
    const given = await readRows(from, table, after, 'a batch')
    const there = await readRows(to, table, after, given.at(-1) ?? 'the end')
    const known = new Map(there.map((row) => [keyOf(table, row), row]))
    const statements: UnitStatement[] = []
    for (const row of given) {
      const key = keyOf(table, row)
      const old = known.get(key)
      known.delete(key)
      if (!old || canonical(old) !== canonical(row)) statements.push(put(to, table, row))
    }
    for (const row of known.values()) statements.push(remove(to, table, row))
    if (statements.length > 0) await runTogether(to, statements)
    changes += statements.length
    if (given.length === 0) return changes
    after = given.at(-1)
  }
}

/** Compares only keys and stamps, and copies one row at a time. */
async function copyFinalRows(from: Database, to: Database, table: StoreTable): Promise<number> {
  const given = await readKeys(from, table)
  const there = await readKeys(to, table)
  let changes = 0
  for (const [key, row] of there) {
    if (given.has(key)) continue
    await runTogether(to, [remove(to, table, row)])
    changes += 1
  }
  for (const [key, row] of given) {
    if (stampOf(table, there.get(key)) === stampOf(table, row)) continue
    const found = await where(
      anyTable(from).selectFrom(table.name).selectAll(),
      table,
      row,
    ).execute()
    await runTogether(to, [put(to, table, found[0]!)])
    changes += 1
  }
  return changes
}

async function readKeys(db: Database, table: StoreTable): Promise<Map<string, Row>> {
  const rows: Row[] = await anyTable(db)
    .selectFrom(table.name)
    .select([...table.key, ...(table.stamp ? [table.stamp] : [])])
    .execute()
  return new Map(rows.map((row) => [keyOf(table, row), row]))
}

/** Undefined if there is no row. */
function stampOf({ stamp }: StoreTable, row: Row | undefined): string | undefined {
  return row && String(stamp ? row[stamp] : '')
}

function keyOf({ key }: StoreTable, row: Row): string {
  return JSON.stringify(key.map((column) => row[column]))
}

function put(db: Database, { name, key }: StoreTable, row: Row): UnitStatement {
  const rest = Object.fromEntries(Object.entries(row).filter(([column]) => !key.includes(column)))
  const insert = anyTable(db).insertInto(name).values(row)
  return { query: insert.onConflict((on) => on.columns([...key]).doUpdateSet(rest)).compile() }
}

function remove(db: Database, table: StoreTable, row: Row): UnitStatement {
  return { query: where(anyTable(db).deleteFrom(table.name), table, row).compile() }
}

function where<Query extends { where(condition: ReturnType<typeof sql<boolean>>): Query }>(
  query: Query,
  { key }: StoreTable,
  row: Row,
): Query {
  const same = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`)
  return query.where(sql<boolean>`${sql.join(same, sql` AND `)}`)
}
