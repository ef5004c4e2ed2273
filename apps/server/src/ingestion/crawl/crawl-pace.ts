import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { CrawlFrontier, Stop } from './crawl-frontier.ts'

const MAX_RETRIES = 2
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000
// Limits how long a failing site can occupy a worker.
const MAX_WAITING_MS = 120_000

/** Decides when a crawl retries a temporary failure, and when it stops sending requests to the site. */
export class CrawlPace {
  #pausedUntil = 0
  #waitedMs = 0
  #refusal: IngestionError | undefined

  /** Set if the site asks for a longer pause than a crawl waits. The crawl sends no more requests then. */
  get refusal(): IngestionError | undefined {
    return this.#refusal
  }

  /** Schedules a retry after a temporary failure. Returns false if a retry is not worth the wait. */
  putOff(frontier: CrawlFrontier, stop: Stop, error: IngestionError): boolean {
    const { mayPass, tookLong, wasKilled, retryAfterMs, isAskedTooOften } = error
    const delayMs = Math.max(FIRST_DELAY_MS * 2 ** stop.retries, retryAfterMs ?? 0)
    if (isAskedTooOften && delayMs > MAX_DELAY_MS) this.#refusal ??= error
    // A page takes little memory, so the process was probably killed for another reason.
    const isWorthIt = (mayPass && !tookLong) || wasKilled
    const isTriedOften = stop.retries >= MAX_RETRIES
    if (!isWorthIt || isTriedOften || delayMs > MAX_DELAY_MS || this.#waitedMs >= MAX_WAITING_MS)
      return false
    const notBefore = performance.now() + delayMs
    // `Retry-After` applies to all pages of the site.
    if (retryAfterMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, notBefore)
    frontier.putOff(stop, notBefore)
    return true
  }

  async wait(stop: Stop, signal: AbortSignal): Promise<void> {
    const ms = Math.max(stop.notBefore, this.#pausedUntil) - performance.now()
    if (ms <= 0 || this.#refusal) return
    this.#waitedMs += ms
    await sleep(ms, undefined, { signal })
  }
}
