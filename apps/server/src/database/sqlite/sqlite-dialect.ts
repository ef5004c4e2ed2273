import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { StatementResult } from './sqlite-protocol.ts'

export class SqliteDialect implements Dialect {
  readonly createDriver: () => Driver

  constructor(createDriver: () => Driver) {
    this.createDriver = createDriver
  }
  createQueryCompiler = () => new SqliteQueryCompiler()
  createAdapter = () => new ThreadedAdapter()
  createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
}

class ThreadedAdapter extends SqliteAdapter {
  /** Otherwise Kysely would use one connection at a time, and writes could not share a commit. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite rolls back DDL, so a failed migration leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Driver of a read-only handle. */
export abstract class ReadingDriver implements Driver {
  async init(): Promise<void> {}
  abstract acquireConnection(): Promise<DatabaseConnection>
  async beginTransaction(): Promise<void> {
    throw new Error('Searching only reads')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export type RunQuery = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** Driver that sends all queries to one function. */
export class QueryDriver extends ReadingDriver {
  readonly #connection: DatabaseConnection

  constructor(run: RunQuery) {
    super()
    this.#connection = {
      executeQuery: <R>(query: CompiledQuery) => run(query) as Promise<QueryResult<R>>,
      streamQuery,
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
}

// biome-ignore lint/correctness/useYield: Kysely's interface asks for it, nothing here streams rows
export async function* streamQuery(): AsyncGenerator<never> {
  throw new Error('Queries are not streamed')
}

export function toQueryResult<R>({ rows, changes }: StatementResult): QueryResult<R> {
  return changes === undefined
    ? { rows: rows as R[] }
    : { rows: rows as R[], numAffectedRows: BigInt(changes) }
}
