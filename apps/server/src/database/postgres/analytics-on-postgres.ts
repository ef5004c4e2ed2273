import { setTimeout as sleep } from 'node:timers/promises'
import { type CompiledQuery, type Dialect, type Driver, type QueryResult, sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { AnalyticsStore } from '../analytics.ts'
import type { Database } from '../database.ts'
import { postgresDialect, storable, toQueryResult } from './connect-postgres.ts'
import { type PoolSettings, PostgresPool } from './postgres-pool.ts'
import { beginWith } from './statement-limits.ts'

const CANCEL_AGAIN_MS = 100

/** Runs reports on connections of their own. */
export class PostgresAnalytics implements AnalyticsStore {
  readonly atOnce: number
  readonly #pool: PostgresPool
  readonly #db: Database

  /** Cancels queries through `db`, which has other connections. */
  constructor(settings: PoolSettings, db: Database) {
    this.atOnce = settings.size
    this.#pool = new PostgresPool(settings)
    this.#db = db
  }

  dialect(driver: Driver): Dialect {
    return postgresDialect(() => driver)
  }

  run(query: CompiledQuery, signal: AbortSignal): Promise<QueryResult<unknown>> {
    return this.#pool.use((client) => this.#runOn(client, query, signal), { mayRepeat: true })
  }

  async #runOn(client: PoolClient, { sql: text, parameters }: CompiledQuery, signal: AbortSignal) {
    signal.throwIfAborted()
    // Behind a pooler, only a transaction keeps its backend. Otherwise a cancel could hit another client's query.
    const [, { rows }] = await Promise.all([
      client.query(beginWith(this.#pool.limits)),
      client.query('SELECT pg_backend_pid() AS pid'),
    ])
    const over = new AbortController()
    let cancelling: Promise<void> | undefined
    const cancel = () => {
      cancelling ??= this.#cancel(rows[0].pid, over.signal)
    }
    signal.addEventListener('abort', cancel)
    try {
      signal.throwIfAborted()
      return toQueryResult(await client.query({ text, values: parameters.map(storable) }))
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      over.abort()
      await cancelling
      // A late cancel request may hit the ROLLBACK itself, so it is repeated.
      await client.query('ROLLBACK').catch(() => client.query('ROLLBACK'))
    }
  }

  /**
   * Repeats until the query ends, because the first cancel may arrive before the query. The statement timeout is the
   * last resort.
   */
  async #cancel(pid: number, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await sql`SELECT pg_cancel_backend(${pid}::int)`.execute(this.#db).catch(() => {})
      await sleep(CANCEL_AGAIN_MS, undefined, { signal: over }).catch(() => {})
    }
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}
