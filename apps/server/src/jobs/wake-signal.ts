/** Wakes waiting workers, so that a new source does not wait for the next poll. */
export class Bell {
  readonly #waiting = new Set<() => void>()

  ring(): void {
    for (const wake of [...this.#waiting]) wake()
  }

  /** Resolves when the bell rings, the timeout ends or the signal aborts. */
  rung(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, timeoutMs)
      signal.addEventListener('abort', wake)
      this.#waiting.add(wake)
      if (signal.aborted) wake()
    })
  }
}
