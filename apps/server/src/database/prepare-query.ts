import type { Compilable, CompiledQuery } from 'kysely'
import { directAccess } from './bypass-kysely.ts'
import type { Database } from './database.ts'

class Placeholder {
  readonly index: number

  constructor(index: number) {
    this.index = index
  }
}

export interface PreparedQuery<Values extends unknown[], Row> {
  /** The compiled query with these values, for a unit. */
  with(db: Database, ...values: Values): CompiledQuery<Row>
  /** Runs a SELECT. Callers share the rows and must not change them. */
  read(db: Database, ...values: Values): Promise<readonly Row[]>
  /** Runs a statement that writes. */
  write(db: Database, ...values: Values): Promise<readonly Row[]>
}

/**
 * Compiles a query once, for the few queries that every request runs: building and compiling costs more than running.
 * Values can only fill parameters. Write limits with `sql.lit`: SQLite plans a statement again whenever a limit is
 * bound.
 */
export function prepareQuery<Values extends unknown[], Row>(
  build: (db: Database, ...values: Values) => Compilable<Row>,
): PreparedQuery<Values, Row> {
  const compiledFor = new WeakMap<Database, CompiledQuery<Row>>()

  function compile(db: Database, values: Values): CompiledQuery<Row> {
    let query = compiledFor.get(db)
    if (!query) {
      const placeholders = values.map((_, index) => new Placeholder(index)) as unknown as Values
      query = build(db, ...placeholders).compile()
      compiledFor.set(db, query)
    }
    return query
  }

  function fill(db: Database, values: Values): CompiledQuery<Row> {
    const query = compile(db, values)
    return { ...query, parameters: filled(query.parameters, values) } as CompiledQuery<Row>
  }

  return {
    with: (db, ...values) => fill(db, values),
    async read(db, ...values) {
      const direct = directAccess(db)
      if (direct) {
        const { sql, parameters } = compile(db, values)
        return direct.read(sql, filled(parameters, values)) as readonly Row[]
      }
      return (await db.executeQuery<Row>(fill(db, values))).rows
    },
    async write(db, ...values) {
      const direct = directAccess(db)
      if (direct?.write) {
        const { sql, parameters } = compile(db, values)
        const results = await direct.write([{ sql, parameters: filled(parameters, values) }])
        return results![0]!.rows as readonly unknown[] as Row[]
      }
      return (await db.executeQuery<Row>(fill(db, values))).rows
    },
  }
}

function filled(parameters: readonly unknown[], values: unknown[]): unknown[] {
  return parameters.map((parameter) =>
    parameter instanceof Placeholder ? values[parameter.index] : parameter,
  )
}
