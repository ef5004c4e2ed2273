import { AppError } from '../errors.ts'

const MAX_KEYS = 50_000

/** So many tries in so much time, counted in memory: a restart forgives, but nobody outside can cause one. */
export class Throttle {
  readonly #most: number
  readonly #windowMs: number
  readonly #tries = new Map<string, number[]>()

  constructor(most: number, windowMs: number) {
    this.#most = most
    this.#windowMs = windowMs
  }

  /** Counts a try, or refuses it. */
  take(key: string): void {
    const now = Date.now()
    const recent = (this.#tries.get(key) ?? []).filter((at) => at > now - this.#windowMs)
    if (recent.length >= this.#most) {
      const seconds = Math.ceil((recent[0]! + this.#windowMs - now) / 1000)
      throw new AppError('rate_limited', 'Too many tries. Wait a while.', {
        headers: { 'retry-after': String(seconds) },
      })
    }
    // Set anew, so that the first key of the map is the one that was quiet for longest.
    this.#tries.delete(key)
    this.#tries.set(key, [...recent, now])
    if (this.#tries.size > MAX_KEYS) this.#tries.delete(this.#tries.keys().next().value!)
  }

  forget(key: string): void {
    this.#tries.delete(key)
  }
}
