import type { CompiledQuery, Driver, QueryResult } from 'kysely'
import { refuseReplacedCode } from '../../runtime/replaced-code.ts'
import type { AnalyticsStore } from '../analytics.ts'
import { CancelFlag } from './cancel-flag.ts'
import { SqliteThread } from './sqlite-connection.ts'
import { SqliteDialect, toQueryResult } from './sqlite-dialect.ts'

/** An unused thread ends after this time to free its memory. */
const IDLE_MS = 60_000

/** Runs reports on a thread that exists only while needed. */
export class SqliteAnalytics implements AnalyticsStore {
  /** The cancel flag stops whichever statement is running, so only one may run. */
  readonly atOnce = 1
  readonly #file: string
  readonly #flag = new CancelFlag()
  #thread: SqliteThread | undefined
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(file: string) {
    this.#file = file
  }

  dialect(driver: Driver): SqliteDialect {
    return new SqliteDialect(() => driver)
  }

  async run(
    { sql, parameters }: CompiledQuery,
    signal: AbortSignal,
  ): Promise<QueryResult<unknown>> {
    signal.throwIfAborted()
    if (this.#isClosed) throw new Error('The database is closed')
    const thread = this.#start()
    const cancel = () => this.#flag.cancel()
    this.#flag.reset()
    signal.addEventListener('abort', cancel)
    try {
      const results = await thread.send({ kind: 'unit', statements: [{ sql, parameters }] })
      return toQueryResult(results![0]!)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cancel)
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // A running statement would delay the end of the thread.
    this.#flag.cancel()
    await this.#end()
  }

  #start(): SqliteThread {
    clearTimeout(this.#idle)
    if (!this.#thread || this.#thread.hasEnded) {
      refuseReplacedCode()
      const cancelFlag = this.#flag.buffer
      this.#thread = new SqliteThread({ file: this.#file, readOnly: true, cancelFlag })
    }
    return this.#thread
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }
}
