const WELL_MS = 30_000
const FAILED_MS = 5_000

/** Tries a write rarely and caches the result: probes come every few seconds and must not wake a sleeping disk. */
export class WriteProbe {
  readonly #write: () => Promise<void>
  #result: Promise<void> | undefined
  #goodUntil = 0

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Returns the cached result, or tries again if it is too old. Concurrent callers share one try. */
  check(): Promise<void> {
    if (!this.#result || performance.now() > this.#goodUntil) {
      this.#goodUntil = Number.POSITIVE_INFINITY
      const keepFor = (ms: number) => () => {
        this.#goodUntil = performance.now() + ms
      }
      this.#result = this.#write()
      this.#result.then(keepFor(WELL_MS), keepFor(FAILED_MS))
    }
    return this.#result
  }
}
