import type { AnswerEvent } from './answer-event.ts'
import { type FollowOptions, followAnswer, textOf } from './http/follow-answer.ts'
import type { CallOptions, Transport } from './http/send-request.ts'
import { uuidOf } from './lists.ts'
import type { CitationCheck, Message, Success } from './records.ts'
import type { Ref } from './request-types.ts'
import type { Feedback } from './requests.ts'

export interface FollowAgainOptions extends FollowOptions {
  /** How many bytes of the answer you already have. */
  offset?: number | undefined
}

export interface SettleOptions extends CallOptions {
  /** Pass false to mark the questions as unanswered again. */
  settled?: boolean | undefined
}

/** Questions with their answers. Use `client.sessions` to ask and list them. */
export class Messages {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(message: Ref, options?: CallOptions): Promise<Message> {
    const call = { method: 'GET', path: pathOf(message), isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /**
   * Follows a running or finished answer from a byte offset.
   *
   * @example
   * ```ts
   * for await (const event of client.messages.follow(message)) {
   *   if (event.type === 'text-delta') console.log(event.text)
   * }
   * ```
   */
  follow(
    message: Ref,
    { offset = 0, ...options }: FollowAgainOptions = {},
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const door = { prefix: '', getMessage: (uuid: string) => this.get(uuid) }
    return followAnswer(this.#transport, door, { uuid: uuidOf(message), offset }, options)
  }

  followText(
    message: Ref,
    options: FollowAgainOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    return textOf(this.follow(message, options))
  }

  /** Stops the model. A finished answer stays as it is. */
  stop(message: Ref, options?: CallOptions): Promise<Success> {
    return this.#post(`${pathOf(message)}/stop`, undefined, options)
  }

  /**
   * Records whether an answer helped.
   *
   * @example
   * ```ts
   * await client.messages.rate(message, { rating: 'up', comment: 'Just what I needed.' })
   * ```
   */
  rate(message: Ref, feedback: Feedback, options?: CallOptions): Promise<Success> {
    return this.#post(`${pathOf(message)}/feedback`, feedback, options)
  }

  /** Checks whether the cited ranges still contain the quoted text. */
  verifyCitations(message: Ref, options?: CallOptions): Promise<CitationCheck> {
    const path = `${pathOf(message)}/citations/verify`
    return this.#transport.json({ method: 'GET', path, isRepeatable: true }, options)
  }

  /** Removes questions from the list of unanswered ones, or restores them with `settled: false`. */
  settle(messages: Ref[], { settled, ...options }: SettleOptions = {}): Promise<Success> {
    return this.#post('/messages/settle', { uuids: messages.map(uuidOf), settled }, options)
  }

  delete(message: Ref, options?: CallOptions): Promise<Success> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(message)}/delete` }, options)
  }

  /** Deletes all or none: if a message is unknown, no message is deleted. */
  deleteMany(messages: Ref[], options?: CallOptions): Promise<Success> {
    const json = { uuids: messages.map(uuidOf) }
    return this.#transport.json({ method: 'POST', path: '/messages/delete', json }, options)
  }

  /** For requests that are safe to retry. */
  #post(path: string, json: unknown, options?: CallOptions): Promise<Success> {
    return this.#transport.json({ method: 'POST', path, json, isRepeatable: true }, options)
  }
}

function pathOf(message: Ref): string {
  return `/message/${uuidOf(message)}`
}
