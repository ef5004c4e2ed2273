/** Requests that start in one turn of the event loop. At 0.1 ms each, other requests wait a few milliseconds. */
const REQUESTS_A_TURN = 32

/**
 * Spreads a burst of requests over several turns of the event loop. Each turn starts a few requests and alternates
 * between owners, so one owner's burst does not delay another's request.
 */
export class RequestTurns {
  readonly #aTurn: number
  readonly #waiting = new Map<string, (() => void)[]>()
  #begun = 0
  #isNextTurnDue = false

  constructor(aTurn = REQUESTS_A_TURN) {
    this.#aTurn = aTurn
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0)
  }

  /** Resolves when the request may continue. Undefined: it may continue at once. */
  take(owner: string): Promise<void> | undefined {
    this.#planNextTurn()
    if (this.#waiting.size === 0 && this.#begun < this.#aTurn) {
      this.#begun += 1
      return undefined
    }
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(owner)
      if (waiting) waiting.push(resolve)
      else this.#waiting.set(owner, [resolve])
    })
  }

  #planNextTurn(): void {
    if (this.#isNextTurnDue) return
    this.#isNextTurnDue = true
    // Sockets are read before the next immediate runs, so requests that just arrived take part in the next turn.
    setImmediate(() => {
      this.#isNextTurnDue = false
      this.#begun = 0
      this.#startTurn()
    })
  }

  #startTurn(): void {
    while (this.#waiting.size > 0 && this.#begun < this.#aTurn) this.#startOneEach()
    if (this.#waiting.size > 0) this.#planNextTurn()
  }

  /** Owners who still have waiting requests move to the end. */
  #startOneEach(): void {
    for (const [owner, waiting] of [...this.#waiting]) {
      if (this.#begun === this.#aTurn) return
      this.#waiting.delete(owner)
      const start = waiting.shift()!
      if (waiting.length > 0) this.#waiting.set(owner, waiting)
      this.#begun += 1
      start()
    }
  }
}
