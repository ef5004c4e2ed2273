import type { ErrorParams, LimitName } from '@docent/contract/failures/error-codes.ts'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { AppError } from '../../errors.ts'
import { countTry, forgetTries, undoTry } from '../../features/rate-limits/shared-throttle.store.ts'

const MAX_KEYS = 50_000
const TOO_MANY = 'Too many attempts. Wait a moment and try again.'

export interface ThrottleOptions {
  /** Unique among all throttles. */
  name: string
  most: number
  windowMs: number
  /** Metrics count rejections under this name. */
  limit?: LimitName
}

interface Refusal {
  most?: number
  message?: string
  params?: ErrorParams
}

/**
 * Limits tries in a time window. A single process counts in memory: a restart resets the counts, but callers cannot
 * cause a restart. Several nodes count together, in the database.
 */
export class Throttle {
  readonly #options: ThrottleOptions
  readonly #db: Database
  readonly #tries = new Map<string, number[]>()

  constructor(db: Database, options: ThrottleOptions) {
    this.#db = db
    this.#options = options
  }

  /** Counts a try or throws. The caller may pass its own limit and message. */
  async take(
    key: string,
    { most = this.#options.most, message = TOO_MANY, params }: Refusal = {},
  ): Promise<void> {
    const { windowMs, limit } = this.#options
    const waitMs = isPostgres(this.#db)
      ? await countTry(this.#db, this.#bucket(key), most, windowMs)
      : this.#takeHere(key, most, performance.now())
    if (waitMs === 0) return
    throw new AppError('rate_limited', message, {
      ...(limit && { limit }),
      params,
      headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
    })
  }

  async forget(key: string): Promise<void> {
    if (isPostgres(this.#db)) await forgetTries(this.#db, this.#bucket(key))
    else this.#tries.delete(key)
  }

  /** Undoes the last count after a harmless try. Earlier tries still count. */
  async giveBack(key: string): Promise<void> {
    if (isPostgres(this.#db)) await undoTry(this.#db, this.#bucket(key))
    else this.#tries.get(key)?.pop()
  }

  #takeHere(key: string, most: number, now: number): number {
    const { windowMs } = this.#options
    const recent = (this.#tries.get(key) ?? []).filter((at) => at > now - windowMs)
    if (recent.length >= most) return recent[0]! + windowMs - now
    // Insert again, so that the first key of the map is the one that was idle longest.
    this.#tries.delete(key)
    this.#tries.set(key, [...recent, now])
    if (this.#tries.size > MAX_KEYS) this.#tries.delete(this.#tries.keys().next().value!)
    return 0
  }

  #bucket(key: string): string {
    return `${this.#options.name} ${key}`
  }
}
