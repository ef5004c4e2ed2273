import { hash } from 'node:crypto'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  sql,
} from 'kysely'
import { DatabaseError, type PoolClient, type QueryConfig, type QueryResult as Result } from 'pg'
import type { Database, UnitConnection, UnitStatement } from '../database.ts'
import type { Tables } from '../tables.ts'
import { isConnectionLost, isStalePlan, UNMET, unavailable } from './postgres-errors.ts'
import { type PoolSettings, PostgresPool } from './postgres-pool.ts'
import { beginWith, type Limits, queryLimited } from './statement-limits.ts'

const STATEMENT_MS = 60_000
const SEARCH_MS = 15_000
const LOCK_MS = 20_000
// Arbitrary, but must never change.
const MIGRATION_LOCK = 4_207_512_633

/**
 * Opens handles on one server. Searches have their own connections and never wait for writes. Reports have theirs too,
 * so answers never wait for reports.
 */
export function connectPostgres(
  url: string,
  connections: number,
  givingUp?: AbortSignal,
): { db: Database; searchDb: Database; forAnalytics: PoolSettings } {
  const searches = Math.max(1, Math.floor(connections / 3))
  const analytics = Math.max(1, Math.floor(connections / 6))
  const common = { url, givingUp }
  return {
    db: handleOn({
      ...common,
      size: connections - searches - analytics,
      limits: limitsOf(STATEMENT_MS),
    }),
    searchDb: handleOn({
      ...common,
      size: searches,
      limits: { ...limitsOf(SEARCH_MS), isForSearches: true },
    }),
    forAnalytics: { ...common, size: analytics, limits: limitsOf(SEARCH_MS) },
  }
}

/**
 * For schema changes. It has no timeouts, because a migration, or waiting for another node's migration, may take long.
 */
export function connectForMigration(url: string, givingUp?: AbortSignal): Database {
  return handleOn({ url, size: 2, limits: NO_LIMITS, givingUp })
}

const NO_LIMITS: Limits = { statementMs: 0, lockMs: 0, idleMs: 0 }

function limitsOf(statementMs: number): Limits {
  return { statementMs, lockMs: LOCK_MS, idleMs: statementMs }
}

function handleOn(settings: PoolSettings): Database {
  const pool = new PostgresPool(settings)
  return new Kysely<Tables>({ dialect: postgresDialect(() => new PostgresDriver(pool)) })
}

export function postgresDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new LockedAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

class LockedAdapter extends PostgresAdapter {
  /** A transaction lock, so a lost connection releases it. */
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(db)
  }
  override async releaseMigrationLock(): Promise<void> {}
}

class PostgresDriver implements Driver {
  readonly #pool: PostgresPool
  readonly #names = new StatementNames()

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#names)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).begin()
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('COMMIT')
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as PostgresConnection).end('ROLLBACK')
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ;(connection as PostgresConnection).release()
  }

  async destroy(): Promise<void> {
    await this.#pool.close()
  }
}

/** Takes a pooled connection only while a statement or transaction runs. */
class PostgresConnection implements DatabaseConnection, UnitConnection {
  readonly #pool: PostgresPool
  readonly #names: StatementNames
  #held: PoolClient | undefined

  constructor(pool: PostgresPool, names: StatementNames) {
    this.#pool = pool
    this.#names = names
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    if (this.#held)
      return toQueryResult(await throwUnavailableIfLost(this.#send(this.#held, sql, parameters)))
    const send = (client: PoolClient) =>
      this.#pool.hasLimits
        ? queryLimited(client, this.#named(sql, parameters), this.#pool.silentMs)
        : this.#send(client, sql, parameters)
    const mayRepeat = query.query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql)
    return toQueryResult(await this.#use(send, { mayRepeat }))
  }

  /** Sends all statements at once: one round trip, whatever their number. */
  async runUnit(unit: UnitStatement[]): Promise<boolean> {
    const run = async (client: PoolClient) => {
      // Each reply comes after all earlier ones, so its timeout grows with its position.
      const silentMs = (before: number) => this.#pool.silentMs * (before + 1)
      const sent = [
        client.query(beginWith(this.#pool.limits)),
        ...unit.map(({ query: { sql, parameters }, mustReturn }, i) =>
          this.#send(client, mustReturn ? requiring(sql) : sql, parameters, silentMs(i + 1)),
        ),
        // If a statement failed, COMMIT rolls back the transaction.
        client.query(patiently({ text: 'COMMIT' }, silentMs(unit.length + 1))),
      ]
      const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
      if (failed) throw (failed as PromiseRejectedResult).reason
    }
    try {
      await this.#use(run, { mayRepeat: false })
      return true
    } catch (error) {
      if (error instanceof DatabaseError && error.code === UNMET) return false
      throw error
    }
  }

  async begin(): Promise<void> {
    this.#held ??= await this.#pool.connect()
    await throwUnavailableIfLost(this.#held.query(beginWith(this.#pool.limits)))
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const held = this.#held!
    this.#held = undefined
    try {
      await throwUnavailableIfLost(held.query(how))
      held.release()
    } catch (error) {
      held.release(true)
      throw error
    }
  }

  release(): void {
    this.#held?.release(true)
    this.#held = undefined
  }

  #send(
    client: PoolClient,
    text: string,
    parameters: readonly unknown[],
    silentMs = this.#pool.silentMs,
  ): Promise<Result> {
    return client.query(patiently(this.#named(text, parameters), silentMs))
  }

  #named(text: string, parameters: readonly unknown[]): QueryConfig {
    const values = parameters.map(storable)
    return { ...this.#names.of(text, parameters.length), values }
  }

  #use<T>(work: (client: PoolClient) => Promise<T>, options: { mayRepeat: boolean }): Promise<T> {
    const run = async (client: PoolClient) => {
      try {
        return await work(client)
      } catch (error) {
        if (isStalePlan(error)) this.#names.renew()
        throw error
      }
    }
    return this.#pool.use(run, options)
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface asks for it, nothing here streams rows
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Queries are not streamed')
  }
}

/** Adds a client-side timeout. */
function patiently(query: QueryConfig, silentMs: number): QueryConfig {
  const timed = { ...query, query_timeout: silentMs }
  return timed
}

/** Transactions are not retried. The caller gets 503 and may retry. */
async function throwUnavailableIfLost<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw isConnectionLost(error) ? unavailable(error) : error
  }
}

function requiring(statement: string): string {
  return `WITH required AS (${statement}) SELECT require_row((SELECT count(*) FROM required))`
}

/** PostgreSQL text can't contain NUL characters. Their replacement keeps the length. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string')
    return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value
  return Array.isArray(value) ? value.map(storable) : value
}

const MAX_NAMED = 300
const MAX_SEEN = 2_000
const MAX_PARAMETERS = 64

/** Frequent statements are prepared by name, once on each connection. */
class StatementNames {
  readonly #named = new Map<string, { name: string; text: string }>()
  readonly #seen = new Map<string, number>()
  #generation = 0

  of(text: string, parameters: number): { name?: string; text: string } {
    const named = this.#named.get(text)
    if (named) return named
    // Long parameter lists rarely come in the same length again.
    if (this.#named.size >= MAX_NAMED || parameters > MAX_PARAMETERS) return { text }
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear()
    const times = (this.#seen.get(text) ?? 0) + 1
    this.#seen.set(text, times)
    if (times < 3) return { text }
    this.#seen.delete(text)
    const prepared = this.#generation === 0 ? text : `${text} /* ${this.#generation} */`
    const given = { name: `s${hash('sha256', prepared).slice(0, 24)}`, text: prepared }
    this.#named.set(text, given)
    return given
  }

  /**
   * Called after a schema change. A new connection is not enough, because PgBouncer keeps prepared statements by text
   * for all clients. A new text forces a new plan.
   */
  renew(): void {
    this.#generation += 1
    this.#named.clear()
  }
}

const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

export function toQueryResult<R>({ command, rowCount, rows }: Result): QueryResult<R> {
  return CHANGING.has(command)
    ? { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
    : { rows: rows as R[] }
}
