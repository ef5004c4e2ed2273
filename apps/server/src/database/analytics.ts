import { type CompiledQuery, type Dialect, type Driver, Kysely, type QueryResult } from 'kysely'
import { AppError } from '../errors.ts'
import { FairQueue } from '../sharing/fair-queue.ts'
import type { Database } from './database.ts'
import { QueryDriver, type RunQuery } from './sqlite/sqlite-dialect.ts'
import type { Tables } from './tables.ts'

/** How a store runs slow queries, isolated from other work. */
export interface AnalyticsStore {
  readonly atOnce: number
  dialect(driver: Driver): Dialect
  /** Cancels the query itself when the signal is aborted, not only the wait for it. */
  run(query: CompiledQuery, signal: AbortSignal): Promise<QueryResult<unknown>>
  close(): Promise<void>
}

/** Time limit for all queries of one request, without the time in the queue. */
const TIME_MS = 10_000
/** How many requests of one owner may wait while one of them runs. */
const MOST_WAITING = 10

/**
 * Runs queries that read much: usage by day, unanswered questions, lists of conversations. They run apart from searches
 * and the main thread. Owners take turns, so one owner's reports do not delay another's.
 */
export class Analytics {
  readonly #store: AnalyticsStore
  readonly #queue: FairQueue
  /** Running and waiting turns of each owner. */
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
   * Runs the work of one request when its owner's turn comes. The handle only reads, one query at a time. An aborted
   * signal cancels the query and rejects with the signal's reason.
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

  /** Returns a handle for long reads in parts. Each query takes its own turn and has its own time limit. */
  inParts(ownerId: string, signal: AbortSignal): Database {
    let hasBegun = false
    return this.#handle(async (query) => {
      // Only the first query can be rejected. Later parts continue however many requests have arrived since.
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
    throw new AppError('rate_limited', 'Too many reports are running. Wait for one to finish.', {
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

function tookTooLong(): AppError {
  return new AppError(
    'took_too_long',
    `This report took longer than ${TIME_MS / 1000} seconds. Request fewer days or fewer conversations.`,
    { limit: 'analytics' },
  )
}
