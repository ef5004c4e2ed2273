import type { Compilable, CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Reads at once, on the calling thread. */
export type DirectRead = (sql: string, parameters: readonly unknown[]) => unknown[]

const directReads = new WeakMap<Database, DirectRead>()

/** Lets prepared queries on this handle go past Kysely's own machinery. */
export function setDirectRead(db: Database, read: DirectRead): void {
  directReads.set(db, read)
}

class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

/**
 * A query that is built and compiled once, for the few that every request runs: there, building and compiling costs
 * more than running. The values may only stand where the query has parameters.
 */
export function prepareQuery<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
): (db: Database, ...values: Values) => Promise<Row[]> {
  const compiledFor = new WeakMap<Database, CompiledQuery<Row>>()
  return async (db, ...values) => {
    let query = compiledFor.get(db)
    if (!query) {
      const placeholders = values.map((_, index) => new Placeholder(index)) as unknown as Values
      query = build(db, ...placeholders).compile()
      compiledFor.set(db, query)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.index] : parameter,
    )
    const direct = directReads.get(db)
    if (direct) return direct(query.sql, parameters) as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows
  }
}
