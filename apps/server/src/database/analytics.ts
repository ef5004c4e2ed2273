import { type CompiledQuery, type Dialect, type Driver, Kysely, type QueryResult } from 'kysely'
import { AppError } from '../errors.ts'
import { FairQueue } from '../sharing/fair-queue.ts'
import type { Database } from './database.ts'
import { QueryDriver, type RunQuery } from './sqlite/sqlite-dialect.ts'
import type { Tables } from './tables.ts'

/** How a store runs a query that may take long, apart from everything else. */
export interface AnalyticsStore {
  /** How many queries run at the same time. */
  readonly atOnce: number
  dialect(driver: Driver): Dialect
  /** Stops the query, not only the waiting for it, when the signal is aborted. */
  run(query: CompiledQuery, signal: AbortSignal): Promise<QueryResult<unknown>>
  close(): Promise<void>
}

/** How long the queries of one request may run. Time in the queue does not count. */
const TIME_MS = 10_000
/** How many requests of one owner may wait while another one of them runs. */
const MOST_WAITING = 10

/**
 * Queries that read much: usage by day, unanswered questions, lists of conversations. They run neither where answers are
 * searched for nor on the main thread. Owners take turns, so that the many queries of one do not delay those of another.
 */
export class Analytics {
  readonly #store: AnalyticsStore
  readonly #queue: FairQueue
  /** How many turns of an owner are running or waiting. */
  readonly #inLine = new Map<string, number>()

  constructor(store: AnalyticsStore) {
    this.#store = store
    this.#queue = new FairQueue({ atOnce: store.atOnce, atOncePerOwner: 1 })
  }

  get running(): number {
    return this.#queue.running
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Does the work of one request when it is its owner's turn. Its handle only reads, one query after the other. When the
   * signal is aborted, because nobody waits for the result any more, the work is stopped and the signal's reason is thrown.
   */
  async run<T>(
    ownerId: string,
    signal: AbortSignal,
    work: (db: Database) => Promise<T>,
  ): Promise<T> {
    this.#refuseIfMany(ownerId)
    return this.#takeTurn(ownerId, signal, () => {
      let leftMs = TIME_MS
      const reader = this.#handle(async (query) => {
        const started = performance.now()
        try {
          return await this.#runInTime(query, signal, leftMs)
        } finally {
          leftMs -= performance.now() - started
        }
      })
      return work(reader)
    })
  }

  /** A handle for what is read in parts, as long as it takes: each query is a turn of its own. */
  inParts(ownerId: string, signal: AbortSignal): Database {
    let hasBegun = false
    return this.#handle(async (query) => {
      // What has begun goes on, however many have come since.
      if (!hasBegun) this.#refuseIfMany(ownerId)
      hasBegun = true
      return this.#takeTurn(ownerId, signal, () => this.#runInTime(query, signal, TIME_MS))
    })
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  #handle(run: RunQuery): Database {
    return new Kysely<Tables>({ dialect: this.#store.dialect(new QueryDriver(run)) })
  }

  async #takeTurn<T>(ownerId: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    this.#count(ownerId, 1)
    try {
      return await this.#queue.run(ownerId, task, signal)
    } finally {
      this.#count(ownerId, -1)
    }
  }

  #refuseIfMany(ownerId: string): void {
    if ((this.#inLine.get(ownerId) ?? 0) <= MOST_WAITING) return
    throw new AppError('rate_limited', 'Too many reports are being made. Wait for one of them.', {
      limit: 'analytics',
      headers: { 'retry-after': '2' },
    })
  }

  #count(ownerId: string, change: number): void {
    const inLine = (this.#inLine.get(ownerId) ?? 0) + change
    if (inLine === 0) this.#inLine.delete(ownerId)
    else this.#inLine.set(ownerId, inLine)
  }

  async #runInTime(query: CompiledQuery, signal: AbortSignal, ms: number) {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(tookTooLong()), Math.max(0, ms))
    try {
      return await this.#store.run(query, AbortSignal.any([signal, late.signal]))
    } finally {
      clearTimeout(timer)
    }
  }
}

export function tookTooLong(): AppError {
  return new AppError(
    'took_too_long',
    `This report took longer than ${TIME_MS / 1000} seconds. Ask for fewer days or fewer conversations.`,
    { limit: 'analytics' },
  )
}
