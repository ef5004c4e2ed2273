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

/** Which of the messages of a visit. */
export interface VisitorPageOptions extends CallOptions {
  /** At most so many, 1 to 200. */
  limit?: number | undefined
  /** Only what comes before this message. */
  before?: Ref | undefined
}

export interface VisitorMessagePage {
  messages: VisitorMessage[]
  /** The page before this one ends before this message; undefined when there are no older ones. */
  before: string | undefined
}

/** What people without a token do with an open chatbot. Each visit has a secret that reaches its one session. */
export class Visitors {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** What visitors see of a chatbot. */
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

  /** As `client.sessions.ask`. */
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

  /** All messages of the visit, the newest last. */
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

  /** The newest messages of the visit, at most 200, the newest last; or those before a message. */
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
