import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { RequestLimit } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'

/**
 * Counts requests in a sliding window: those of the window before count for the share of it that is still in view.
 * Two numbers for each key, and keys that stay away are forgotten with their window.
 */
export class RequestCounter {
  readonly #limit: RequestLimit
  #window = 0
  #now = new Map<string, number>()
  #before = new Map<string, number>()

  constructor(limit: RequestLimit) {
    this.#limit = limit
  }

  /** Throws when there were too many; otherwise counts one more. */
  count(key: string, noun: string, time = Date.now()): void {
    const length = this.#limit.seconds * 1000
    const window = Math.floor(time / length)
    if (window !== this.#window) {
      this.#before = window === this.#window + 1 ? this.#now : new Map()
      this.#now = new Map()
      this.#window = window
    }
    const passed = (time % length) / length
    const now = this.#now.get(key) ?? 0
    const seen = now + (this.#before.get(key) ?? 0) * (1 - passed)
    if (seen >= this.#limit.requests) {
      const seconds = Math.max(1, Math.ceil((this.#limit.seconds * (1 - passed)) / 2))
      throw new AppError('rate_limited', `Too many requests ${noun}.`, {
        headers: { 'retry-after': String(seconds) },
      })
    }
    this.#now.set(key, now + 1)
  }
}

const COUNTED = /^\/(api|v1|mcp)\b/

/** The service's own limit for each network address. What supervisors ask is not counted. */
export function limitAddresses(app: FastifyInstance, { config }: Services): void {
  if (!config.limitPerAddress) return
  const counter = new RequestCounter(config.limitPerAddress)
  app.addHook('onRequest', async (request) => {
    if (COUNTED.test(request.routeOptions.url ?? request.url)) {
      counter.count(networkOf(request.ip), 'from this address')
    }
  })
}

/** One household or machine has a whole IPv6 network of 64 bits to choose addresses from. */
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
