import type { ErrorParams, LimitName } from '@docent/contract/failures/error-codes.ts'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { AppError } from '../../errors.ts'
import { forgetTries, giveTryBack, takeTry } from '../../features/accounts/tries.store.ts'

const MAX_KEYS = 50_000
const TOO_MANY = 'Too many tries. Wait a while.'

export interface ThrottleOptions {
  /** Unlike that of any other throttle. */
  name: string
  most: number
  windowMs: number
  /** What the refusal counts as. */
  limit?: LimitName
}

interface Refusal {
  most?: number
  message?: string
  params?: ErrorParams
}

/**
 * So many tries in so much time. Counted in memory where there is one process: a restart forgives, but nobody outside
 * can cause one. Among several nodes they are counted together, in the database.
 */
export class Throttle {
  readonly #options: ThrottleOptions
  readonly #db: Database
  readonly #tries = new Map<string, number[]>()

  constructor(db: Database, options: ThrottleOptions) {
    this.#db = db
    this.#options = options
  }

  /** Counts a try, or refuses it, with words and by a number of its own where these are given. */
  async take(
    key: string,
    { most = this.#options.most, message = TOO_MANY, params }: Refusal = {},
  ): Promise<void> {
    const { windowMs, limit } = this.#options
    const waitMs = isPostgres(this.#db)
      ? await takeTry(this.#db, this.#bucket(key), most, windowMs)
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

  /** What came of it was no harm: it counts no longer. Those before it do. */
  async giveBack(key: string): Promise<void> {
    if (isPostgres(this.#db)) await giveTryBack(this.#db, this.#bucket(key))
    else this.#tries.get(key)?.pop()
  }

  #takeHere(key: string, most: number, now: number): number {
    const { windowMs } = this.#options
    const recent = (this.#tries.get(key) ?? []).filter((at) => at > now - windowMs)
    if (recent.length >= most) return recent[0]! + windowMs - now
    // Set anew, so that the first key of the map is the one that was quiet for longest.
    this.#tries.delete(key)
    this.#tries.set(key, [...recent, now])
    if (this.#tries.size > MAX_KEYS) this.#tries.delete(this.#tries.keys().next().value!)
    return 0
  }

  #bucket(key: string): string {
    return `${this.#options.name} ${key}`
  }
}
