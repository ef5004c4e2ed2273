import type { AnswerEvent } from './answer-event.ts'
import { type Door, followAnswer, textOf } from './http/follow-answer.ts'
import type { CallOptions, Transport } from './http/send-request.ts'
import { uuidOf } from './lists.ts'
import type { FollowAgainOptions } from './messages.ts'
import type { OpenChatbot, Success, Visit, VisitorMessage } from './records.ts'
import type { Ref } from './request-types.ts'
import type { Feedback } from './requests.ts'
import { type AskOptions, askCall } from './sessions.ts'
import type { Channel } from './values.ts'

/** Selects a page of a visitor's messages. */
export interface VisitorPageOptions extends CallOptions {
  /** The maximum number of messages, 1 to 200. */
  limit?: number | undefined
  /** Only messages before this one. */
  before?: Ref | undefined
}

export interface VisitorMessagePage {
  messages: VisitorMessage[]
  /** Pass this as `before` to get the previous page. Undefined when there are no older messages. */
  before: string | undefined
}

/**
 * What visitors without a token can do with an open chatbot. The secret of each visit grants access to its session
 * only.
 */
export class Visitors {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Gets the public view of a chatbot. */
  chatbot(chatbot: Ref, channel: Channel = 'widget', options?: CallOptions): Promise<OpenChatbot> {
    const path = `/public/chatbot/${uuidOf(chatbot)}`
    const call = { method: 'GET', path, query: { channel }, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /**
   * Opens a session as a visitor.
   *
   * @example
   * ```ts
   * const visit = await client.visitors.open(chatbot)
   * for await (const text of client.visitors.askText(visit, 'When are you open?')) console.log(text)
   * ```
   */
  open(chatbot: Ref, channel: Channel = 'widget', options?: CallOptions): Promise<Visit> {
    const path = `/public/chatbot/${uuidOf(chatbot)}/session`
    return this.#transport.json({ method: 'POST', path, json: { channel } }, options)
  }

  /** Like `client.sessions.ask`. */
  ask(
    visit: Visit,
    query: string,
    { idempotencyKey, ...options }: AskOptions = {},
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const path = `/public/session/${uuidOf(visit)}`
    const ask = askCall(path, query, idempotencyKey, visit.secret)
    return followAnswer(this.#transport, this.#door(visit), { ask }, options)
  }

  askText(
    visit: Visit,
    query: string,
    options: AskOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    return textOf(this.ask(visit, query, options))
  }

  follow(
    visit: Visit,
    message: Ref,
    { offset = 0, ...options }: FollowAgainOptions = {},
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const start = { uuid: uuidOf(message), offset }
    return followAnswer(this.#transport, this.#door(visit), start, options)
  }

  /** Lists all messages of the visit, newest last. */
  async messages(visit: Visit, options?: CallOptions): Promise<VisitorMessage[]> {
    const pages: VisitorMessage[][] = []
    let before: string | undefined
    do {
      const page = await this.messagePage(visit, { ...options, before })
      pages.unshift(page.messages)
      before = page.before
    } while (before !== undefined)
    return pages.flat()
  }

  /** Gets the newest messages of the visit, or those before a given message: at most 200, newest last. */
  async messagePage(
    visit: Visit,
    { before, limit, ...options }: VisitorPageOptions = {},
  ): Promise<VisitorMessagePage> {
    const path = `/public/session/${uuidOf(visit)}/messages`
    const query = { limit, before: before === undefined ? undefined : uuidOf(before) }
    const call = { method: 'GET', path, query, isRepeatable: true, token: visit.secret } as const
    const { items, next } = await this.#transport.page<VisitorMessage>(call, options)
    return { messages: items, before: next }
  }

  stop(visit: Visit, message: Ref, options?: CallOptions): Promise<Success> {
    return this.#post(visit, `/public/message/${uuidOf(message)}/stop`, undefined, options)
  }

  rate(visit: Visit, message: Ref, feedback: Feedback, options?: CallOptions): Promise<Success> {
    return this.#post(visit, `/public/message/${uuidOf(message)}/feedback`, feedback, options)
  }

  #post(visit: Visit, path: string, json: unknown, options?: CallOptions): Promise<Success> {
    const call = { method: 'POST', path, json, token: visit.secret, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  #door(visit: Visit): Door {
    return {
      prefix: '/public',
      token: visit.secret,
      getMessage: async (uuid) => {
        const { messages } = await this.messagePage(visit)
        return messages.find((message) => message.uuid === uuid)
      },
    }
  }
}
