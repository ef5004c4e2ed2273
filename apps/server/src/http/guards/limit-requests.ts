import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config, RequestLimit } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { isPostgres } from '../../database/dialect.ts'
import { AppError } from '../../errors.ts'
import { countRequest } from '../../features/rate-limits/request-counts.store.ts'

/**
 * Counts requests in a sliding window. Requests of the previous window count for the share of it that is still in view.
 * Keeps two numbers for each key, and forgets idle keys with their window. Several nodes count together, in the
 * database.
 */
export class RequestCounter {
  readonly #limit: RequestLimit
  readonly #shared: Database | undefined
  #window = 0
  #now = new Map<string, number>()
  #before = new Map<string, number>()

  constructor(limit: RequestLimit, db?: Database) {
    this.#limit = limit
    this.#shared = db && isPostgres(db) ? db : undefined
  }

  /** Counts a request, or throws if there were too many. Returns a promise only if several nodes count together. */
  count(key: string, noun: string, time = Date.now()): void | Promise<void> {
    const lengthMs = this.#limit.seconds * 1000
    const span = Math.floor(time / lengthMs)
    const share = 1 - (time % lengthMs) / lengthMs
    const most = this.#limit.requests
    const refuse = (isCounted: boolean) => {
      if (isCounted) return
      const seconds = Math.max(1, Math.ceil((this.#limit.seconds * share) / 2))
      throw new AppError('rate_limited', `Too many requests ${noun}.`, {
        headers: { 'retry-after': String(seconds) },
      })
    }
    if (!this.#shared) return refuse(this.#countHere(key, span, share))
    return countRequest(this.#shared, `${noun} ${key}`, { span, lengthMs, share, most }).then(
      refuse,
    )
  }

  #countHere(key: string, window: number, share: number): boolean {
    if (window !== this.#window) {
      this.#before = window === this.#window + 1 ? this.#now : new Map()
      this.#now = new Map()
      this.#window = window
    }
    const now = this.#now.get(key) ?? 0
    if (now + (this.#before.get(key) ?? 0) * share >= this.#limit.requests) return false
    this.#now.set(key, now + 1)
    return true
  }
}

const COUNTED = /^\/(api|v1|mcp)\b/

/** The server's own limit for each network address. Requests of supervisors do not count. */
export function limitAddresses(
  app: FastifyInstance,
  { config, db }: { config: Pick<Config, 'limitPerAddress'>; db: Database },
): void {
  if (!config.limitPerAddress) return
  const counter = new RequestCounter(config.limitPerAddress, db)
  app.addHook('onRequest', async (request) => {
    if (COUNTED.test(request.routeOptions.url ?? request.url)) {
      await counter.count(networkOf(request.ip), 'from this address')
    }
  })
}

/** A single household or machine can choose addresses from a whole IPv6 /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  const [head = '', tail] = address.split('::')
  const first = head.split(':').filter(Boolean)
  const last = (tail ?? '').split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - first.length - last.length
  return [...first, ...Array<string>(missing).fill('0'), ...last].slice(0, 4).join(':')
}
