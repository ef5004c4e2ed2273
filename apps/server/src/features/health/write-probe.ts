const WELL_MS = 30_000
const FAILED_MS = 5_000

/** A write that changes nothing, tried rarely: supervisors ask every few seconds, and a disk that sleeps should go on sleeping. */
export class WriteProbe {
  readonly #write: () => Promise<void>
  #result: Promise<void> | undefined
  #goodUntil = 0

  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Fails as the last try did, or as a new one does when that is too long ago. One at a time, whoever asks. */
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
