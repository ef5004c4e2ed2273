import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { CrawlFrontier, Stop } from './crawl-frontier.ts'

const MAX_RETRIES = 2
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 30_000
// A site that has nothing but trouble should not keep a worker for ever.
const MAX_WAITING_MS = 120_000

/** When a crawl asks again what failed for now, and when it leaves the site alone for a while. */
export class CrawlPace {
  #pausedUntil = 0
  #waitedMs = 0
  #refusal: IngestionError | undefined

  /** That the site wants to be left alone for longer than a crawl waits: nothing more is asked of it then. */
  get refusal(): IngestionError | undefined {
    return this.#refusal
  }

  /** Puts a page off that may be there in a moment. False if it is not worth waiting for. */
  putOff(frontier: CrawlFrontier, stop: Stop, error: IngestionError): boolean {
    const { mayPass, tookLong, wasKilled, retryAfterMs, isAskedTooOften } = error
    const delayMs = Math.max(FIRST_DELAY_MS * 2 ** stop.retries, retryAfterMs ?? 0)
    if (isAskedTooOften && delayMs > MAX_DELAY_MS) this.#refusal ??= error
    // A page takes little memory: whatever was killed while it was read was hardly killed for it.
    const isWorthIt = (mayPass && !tookLong) || wasKilled
    const isTriedOften = stop.retries >= MAX_RETRIES
    if (!isWorthIt || isTriedOften || delayMs > MAX_DELAY_MS || this.#waitedMs >= MAX_WAITING_MS)
      return false
    const notBefore = performance.now() + delayMs
    // What a site says of its patience is said of all its pages.
    if (retryAfterMs !== undefined) this.#pausedUntil = Math.max(this.#pausedUntil, notBefore)
    frontier.putOff(stop, notBefore)
    return true
  }

  /** Waits until a page may be asked. */
  async wait(stop: Stop, signal: AbortSignal): Promise<void> {
    const ms = Math.max(stop.notBefore, this.#pausedUntil) - performance.now()
    if (ms <= 0 || this.#refusal) return
    this.#waitedMs += ms
    await sleep(ms, undefined, { signal })
  }
}
