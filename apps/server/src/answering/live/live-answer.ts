import type { FinishReason } from '@docent/contract/messages.ts'
import type { AppError } from '../../errors.ts'
import { NO_TOKENS } from '../../models/catalog.ts'

/**
 * An answer that is being given. `text` is what is stored already, never more, so whoever follows it has seen a
 * prefix of what a restart will find. Followers keep a position in it and nothing else: a slow one costs no memory.
 */
export class LiveAnswer {
  readonly messageId: string
  readonly #abort = new AbortController()
  readonly #onBegin: () => void
  #changed = Promise.withResolvers<void>()
  text = ''
  /** Set when the answer has ended and is stored as such. */
  finishReason: FinishReason | undefined
  failure: AppError | undefined
  tokens = NO_TOKENS

  /** `onBegin` is called once: with the first text, or at the end of an answer without any. */
  constructor(messageId: string, onBegin: () => void = () => {}) {
    this.messageId = messageId
    this.#onBegin = onBegin
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Why it was told to end before its time. */
  get endedAs(): 'cancelled' | 'interrupted' | undefined {
    return this.signal.aborted ? this.signal.reason : undefined
  }

  end(as: 'cancelled' | 'interrupted'): void {
    this.#abort.abort(as)
  }

  grow(text: string): void {
    if (this.text === '') this.#onBegin()
    this.text += text
    this.#announce()
  }

  /** With the last of its text, so that followers can send both at once. */
  finish(reason: FinishReason, failure?: AppError, rest = ''): void {
    if (this.text === '') this.#onBegin()
    this.text += rest
    this.finishReason = reason
    this.failure = failure
    this.#announce()
  }

  /** Until there is more text, or the end. */
  changed(): Promise<void> {
    return this.finishReason ? Promise.resolve() : this.#changed.promise
  }

  async finished(): Promise<void> {
    while (!this.finishReason) await this.#changed.promise
  }

  /** Has every follower look again, though nothing changed: one of them may have reason to leave. */
  nudge(): void {
    this.#announce()
  }

  #announce(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }
}
