const LOOK_MS = 250

/** How long the process may be silent while it has work. */
export interface Patience {
  /** After this time, questions continue without the process. */
  questionMs: number
  /** After this time without activity, the process is killed: it is frozen or waits forever. */
  stillMs: number
  /** After this time, even an active process is killed. Everything takes longer on a busy machine. */
  busyMs: number
}

// The process responds between two passages. Each takes some ten milliseconds, and far less than a second on a slow
// machine.
export const PATIENCE_WITH_BUILT_IN: Patience = {
  questionMs: 750,
  stillMs: 2_500,
  busyMs: 10_000,
}
// A large custom model may take seconds for a long text.
export const PATIENCE_WITH_FOLDER: Patience = {
  questionMs: 5_000,
  stillMs: 5_000,
  busyMs: 30_000,
}
const PATIENCE_WITH_LOADING: Patience = { questionMs: 3_500, stillMs: 5_000, busyMs: 60_000 }

export interface Watched {
  hasWork(): boolean
  ping(): void
  giveUpQuestions(): void
  end(): void
  /** Whether the process was active since the last check. */
  hasMoved(): boolean
}

/**
 * Detects a hanging process. Counts checks without a sign of life instead of time, so that a delay in the server is not
 * blamed on the other process.
 */
export class InferenceWatch {
  readonly #patience: Patience
  readonly #watched: Watched
  #timer: NodeJS.Timeout | undefined
  #silentMs = 0
  #stillMs = 0
  /** Slow phases in progress. The first one is the start of the process. */
  #loading = 1

  constructor(patience: Patience, watched: Watched) {
    this.#patience = patience
    this.#watched = watched
  }

  /** Whether questions continue without the process. */
  get isSilent(): boolean {
    return this.#silentMs >= this.#current.questionMs
  }

  begin(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS)
  }

  heard(change: 'loading' | 'ready' | undefined): void {
    this.#silentMs = 0
    this.#stillMs = 0
    if (change) this.#loading += change === 'loading' ? 1 : -1
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  get #current(): Patience {
    return this.#loading > 0 ? PATIENCE_WITH_LOADING : this.#patience
  }

  #look(): void {
    if (!this.#watched.hasWork() && this.#silentMs === 0) {
      this.stop()
      return
    }
    this.#watched.ping()
    this.#silentMs += LOOK_MS
    this.#stillMs = this.#watched.hasMoved() ? 0 : this.#stillMs + LOOK_MS
    if (this.isSilent) this.#watched.giveUpQuestions()
    const { stillMs, busyMs } = this.#current
    if (this.#stillMs >= stillMs || this.#silentMs >= busyMs) this.#watched.end()
  }
}
