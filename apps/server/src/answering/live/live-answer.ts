import type { FinishReason } from '@docent/contract/messages.ts'
import type { AppError } from '../../errors.ts'
import { NO_TOKENS } from '../../models/model-catalog.ts'

/**
 * A running answer. `text` holds only stored text, so a follower has seen a prefix of what a restart will find.
 * Followers keep only a position in it, so a slow follower costs no memory.
 */
export class LiveAnswer {
  readonly messageId: string
  readonly #abort = new AbortController()
  readonly #onBegin: () => void
  #changed = Promise.withResolvers<void>()
  text = ''
  /** Set when the answer has ended and is stored. */
  finishReason: FinishReason | undefined
  failure: AppError | undefined
  tokens = NO_TOKENS

  /** `onBegin` is called once: with the first text, or at the end of an answer without text. */
  constructor(messageId: string, onBegin: () => void = () => {}) {
    this.messageId = messageId
    this.#onBegin = onBegin
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Why the answer was told to end early. */
  get endedAs(): 'cancelled' | 'interrupted' | undefined {
    return this.signal.aborted ? this.signal.reason : undefined
  }

  end(as: 'cancelled' | 'interrupted'): void {
    this.#abort.abort(as)
  }

  grow(text: string): void {
    if (this.text === '') this.#onBegin()
    this.text += text
    this.announce()
  }

  /** Takes the last text too, so that followers can send both at once. */
  finish(reason: FinishReason, failure?: AppError, rest = ''): void {
    if (this.text === '') this.#onBegin()
    this.text += rest
    this.finishReason = reason
    this.failure = failure
    this.announce()
  }

  /** Resolves when there is more text, or at the end. */
  changed(): Promise<void> {
    return this.finishReason ? Promise.resolve() : this.#changed.promise
  }

  async finished(): Promise<void> {
    while (!this.finishReason) await this.#changed.promise
  }

  /** Wakes every follower without a change, because one of them may have a reason to leave. */
  announce(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }
}
