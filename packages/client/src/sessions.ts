import type { AnswerEvent } from './answer-event.ts'
import { type FollowOptions, followAnswer, textOf } from './http/follow-answer.ts'
import type { Call, CallOptions, Transport } from './http/send-request.ts'
import { eachOf, listPage, type PageOptions, uuidOf } from './lists.ts'
import { Messages } from './messages.ts'
import type { Message, NewSession, Session, Success } from './records.ts'
import type { Ref } from './request-types.ts'

export interface SessionsOptions extends PageOptions {
  /** Only sessions that began at this time or later. */
  from?: Date | undefined
  /** Only sessions that began at this time or before. */
  to?: Date | undefined
}

export interface AskOptions extends FollowOptions {
  /**
   * Lets the server recognize a repeated question: it stores and answers each key once. Default: a new key per
   * question.
   */
  idempotencyKey?: string | undefined
}

/** A model can take minutes for an answer. */
const WHOLE_ANSWER_MS = 600_000

/** Sessions: create them, ask questions and read messages. */
export class Sessions {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  create(chatbot: Ref, options?: CallOptions): Promise<NewSession> {
    const path = `/chatbot/${uuidOf(chatbot)}/session/create`
    return this.#transport.json({ method: 'POST', path }, options)
  }

  get(session: Ref, options?: CallOptions): Promise<Session> {
    const call = { method: 'GET', path: pathOf(session), isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  list(chatbot: Ref, { from, to, ...options }: SessionsOptions = {}): Promise<Session[]> {
    const query = { start_timestamp: from, end_timestamp: to }
    return listPage(this.#transport, `/chatbot/${uuidOf(chatbot)}/sessions`, options, query)
  }

  each(
    chatbot: Ref,
    { from, to, ...options }: SessionsOptions = {},
  ): AsyncGenerator<Session, void, undefined> {
    const query = { start_timestamp: from, end_timestamp: to }
    return eachOf(this.#transport, `/chatbot/${uuidOf(chatbot)}/sessions`, options, query)
  }

  delete(session: Ref, options?: CallOptions): Promise<Success> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(session)}/delete` }, options)
  }

  /** Deletes all or none: if a session is unknown, no session is deleted. */
  deleteMany(sessions: Ref[], options?: CallOptions): Promise<Success> {
    const json = { uuids: sessions.map(uuidOf) }
    return this.#transport.json({ method: 'POST', path: '/sessions/delete', json }, options)
  }

  /**
   * Asks a question and follows its answer: `message-start`, any number of `text-delta`, `message-end`. After a lost
   * connection, the client reconnects and resumes where the stream broke. Throws if the answer fails. If you leave the
   * loop, the answer continues on the server and you find it in the messages. Set `stopWhenLeft` to stop it instead.
   *
   * @example
   * ```ts
   * for await (const event of client.sessions.ask(session, 'When are you open?')) {
   *   if (event.type === 'text-delta') console.log(event.text)
   *   if (event.type === 'message-end') console.log(event.finish_reason)
   * }
   * ```
   */
  ask(
    session: Ref,
    query: string,
    { idempotencyKey, ...options }: AskOptions = {},
  ): AsyncGenerator<AnswerEvent, void, undefined> {
    const messages = new Messages(this.#transport)
    const door = { prefix: '', getMessage: (uuid: string) => messages.get(uuid) }
    const ask = askCall(pathOf(session), query, idempotencyKey)
    return followAnswer(this.#transport, door, { ask }, options)
  }

  /**
   * Asks a question and yields only the text of the answer.
   *
   * @example
   * ```ts
   * let answer = ''
   * for await (const text of client.sessions.askText(session, 'What does a ticket cost?')) answer += text
   * ```
   */
  askText(
    session: Ref,
    query: string,
    options: AskOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    return textOf(this.ask(session, query, options))
  }

  /**
   * Asks a question and waits for the whole answer.
   *
   * @example
   * ```ts
   * const answer = await client.sessions.askWhole(session, 'Where do I find the lifts?')
   * ```
   */
  async askWhole(
    session: Ref,
    query: string,
    { idempotencyKey, ...options }: CallOptions & Pick<AskOptions, 'idempotencyKey'> = {},
  ): Promise<string> {
    const { path, ...call } = askCall(pathOf(session), query, idempotencyKey)
    const { response } = await this.#transport.json<{ response: string }>(
      { ...call, path: path.replace(/stream$/, 'non-stream') },
      { timeout: WHOLE_ANSWER_MS, ...options },
    )
    return response
  }

  /** Lists the messages of a session, newest last. */
  messages(session: Ref, options: PageOptions = {}): Promise<Message[]> {
    return listPage(this.#transport, `${pathOf(session)}/messages`, options)
  }

  eachMessage(session: Ref, options: PageOptions = {}): AsyncGenerator<Message, void, undefined> {
    return eachOf(this.#transport, `${pathOf(session)}/messages`, options)
  }

  /** Gets the session as plain text. */
  transcript(session: Ref, options?: CallOptions): Promise<string> {
    const path = `${pathOf(session)}/messages/plain-text`
    return this.#transport.text({ method: 'GET', path, isRepeatable: true }, options)
  }
}

/** The key lets the server recognize a repeated question and answer it once. */
export function askCall(
  sessionPath: string,
  query: string,
  idempotencyKey = newKey(),
  token?: string,
): Call {
  return {
    method: 'POST',
    path: `${sessionPath}/message/stream`,
    json: { query },
    headers: { accept: 'text/event-stream', 'idempotency-key': idempotencyKey },
    isRepeatable: true,
    token,
  }
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function pathOf(session: Ref): string {
  return `/session/${uuidOf(session)}`
}
