const LOOK_MS = 250

/** How long the process may be silent while it has work to do. */
export interface Patience {
  /** Then questions go on without it. */
  questionMs: number
  /** Then it is ended if it does nothing meanwhile: it is frozen, or waits for what never comes. */
  stillMs: number
  /** Then it is ended although it works: on a busy machine all takes longer. */
  busyMs: number
}

// Between two passages it answers; each takes some ten milliseconds, also on a slow machine far less than a second.
export const PATIENCE_WITH_BUILT_IN: Patience = {
  questionMs: 1_000,
  stillMs: 2_500,
  busyMs: 10_000,
}
// A large model of one's own may take seconds for a long text.
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
  /** Since the last look. */
  hasMoved(): boolean
}

/**
 * Notices that a process hangs. It counts looks without a sign of life rather than time: when this process is held up itself,
 * the other one is not blamed for it.
 */
export class InferenceWatch {
  readonly #patience: Patience
  readonly #watched: Watched
  #timer: NodeJS.Timeout | undefined
  #silentMs = 0
  #stillMs = 0
  /** What it is busy with that takes long: it starts, or loads a model. */
  #loading = 1

  constructor(patience: Patience, watched: Watched) {
    this.#patience = patience
    this.#watched = watched
  }

  /** Questions need not wait for it. */
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
