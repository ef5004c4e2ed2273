import type { ConversationsOptions, ExportOptions } from './conversations.ts'
import { readText } from './http/read-text.ts'
import type { CallOptions, Transport } from './http/send-request.ts'
import { eachOf, listPage, type PageOptions, uuidOf } from './lists.ts'
import type {
  Answering,
  Chatbot,
  Conversation,
  DayOfUse,
  FoundPassage,
  Success,
  UnansweredQuestion,
  Usage,
  Widget,
} from './records.ts'
import type { Changes, ChatbotUpdate, NewChatbot, Ref } from './request-types.ts'

export interface SearchOptions extends CallOptions {
  /** The maximum number of passages, 1 to 50. Default: 10. */
  limit?: number | undefined
  /** The previous question. The server needs it to understand a follow-up. */
  previousQuery?: string | undefined
}

export interface UsageByDayOptions extends CallOptions {
  days?: number | undefined
  /** The time zone of the days: minutes ahead of UTC. */
  utcOffset?: number | undefined
}

/** Chatbots: settings, appearance, conversations, search and usage. */
export class Chatbots {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a chatbot. Omitted settings get the server's defaults.
   *
   * @example
   * ```ts
   * const chatbot = await client.chatbots.create({ name: 'Museum guide', show_citations: true })
   * console.log(chatbot.uuid, chatbot.meta.model)
   * ```
   */
  create(chatbot: NewChatbot, options?: CallOptions): Promise<Chatbot> {
    const call = { method: 'POST', path: '/chatbot/create', json: chatbot } as const
    return this.#transport.json(call, options)
  }

  /**
   * Changes the given settings and leaves the others as they are.
   *
   * @example
   * ```ts
   * await client.chatbots.update(chatbot, { prompt: 'Answer as a friendly guide.', rate_limit: [20, 240] })
   * ```
   */
  update(chatbot: Ref, changes: ChatbotUpdate, options?: CallOptions): Promise<Chatbot> {
    return this.#post(`${pathOf(chatbot)}/update`, changes, options)
  }

  get(chatbot: Ref, options?: CallOptions): Promise<Chatbot> {
    return this.#get(pathOf(chatbot), options)
  }

  /** Lists all of your chatbots, oldest first, or one page of them. */
  list(options: PageOptions = {}): Promise<Chatbot[]> {
    return listPage(this.#transport, '/chatbots', options)
  }

  /**
   * Iterates over all of your chatbots, page by page.
   *
   * @example
   * ```ts
   * for await (const { name } of client.chatbots.each()) console.log(name)
   * ```
   */
  each(options: PageOptions = {}): AsyncGenerator<Chatbot, void, undefined> {
    return eachOf(this.#transport, '/chatbots', options)
  }

  /** Deletes a chatbot with its sources, sessions and messages. */
  delete(chatbot: Ref, options?: CallOptions): Promise<Success> {
    const path = `${pathOf(chatbot)}/delete`
    return this.#transport.json({ method: 'DELETE', path }, options)
  }

  /**
   * Finds the passages that an answer would use, best first. Stores nothing.
   *
   * @example
   * ```ts
   * const [best] = await client.chatbots.search(chatbot, 'opening hours', { limit: 5 })
   * console.log(best?.title, best?.text)
   * ```
   */
  search(
    chatbot: Ref,
    query: string,
    { limit, previousQuery, ...options }: SearchOptions = {},
  ): Promise<FoundPassage[]> {
    const body = { query, limit, previous_query: previousQuery }
    return this.#post(`${pathOf(chatbot)}/search`, body, options)
  }

  /** Gets the answer settings and the model that currently answers. */
  answering(chatbot: Ref, options?: CallOptions): Promise<Answering> {
    return this.#get(`${pathOf(chatbot)}/answering`, options)
  }

  /**
   * Changes the given answer settings and leaves the others as they are.
   *
   * @example
   * ```ts
   * await client.chatbots.updateAnswering(chatbot, { pairs_override: true })
   * ```
   */
  updateAnswering(
    chatbot: Ref,
    changes: Changes<Omit<Answering, 'model_used'>>,
    options?: CallOptions,
  ): Promise<Answering> {
    return this.#post(`${pathOf(chatbot)}/answering`, changes, options)
  }

  /** Gets the appearance that visitors see. */
  widget(chatbot: Ref, options?: CallOptions): Promise<Widget> {
    return this.#get(`${pathOf(chatbot)}/widget`, options)
  }

  updateWidget(chatbot: Ref, changes: Changes<Widget>, options?: CallOptions): Promise<Widget> {
    return this.#post(`${pathOf(chatbot)}/widget/update`, changes, options)
  }

  /**
   * Lists sessions with at least one question, newest first.
   *
   * @example
   * ```ts
   * const lastWeek = new Date(Date.now() - 7 * 86_400_000)
   * await client.chatbots.conversations(chatbot, { search: 'ticket groups', from: lastWeek })
   * ```
   */
  conversations(
    chatbot: Ref,
    { limit, before, channel, rating, search, from, to, ...options }: ConversationsOptions = {},
  ): Promise<Conversation[]> {
    const last = before === undefined ? undefined : uuidOf(before)
    const query = { limit, before: last, channel, rating, search, from, to }
    return this.#get(`${pathOf(chatbot)}/conversations`, options, query)
  }

  /**
   * Exports every message of the matching conversations as the text of a file, in chunks: newest conversation first,
   * each conversation from its beginning. Throws if the connection breaks.
   *
   * @example
   * ```ts
   * let table = ''
   * for await (const piece of client.chatbots.exportConversations(chatbot, { rating: 'down' })) table += piece
   * ```
   */
  async *exportConversations(
    chatbot: Ref,
    { format, channel, rating, search, from, to, ...options }: ExportOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const path = `${pathOf(chatbot)}/conversations/export`
    const query = { format, channel, rating, search, from, to }
    const response = await this.#transport.open({ method: 'GET', path, query }, options)
    yield* readText(response, options.signal)
  }

  /** Lists questions that the sources do not answer or whose answer was rated down, most frequent first. */
  unanswered(chatbot: Ref, options?: CallOptions): Promise<UnansweredQuestion[]> {
    return this.#get(`${pathOf(chatbot)}/unanswered`, options)
  }

  /** Gets this month's usage. */
  usage(chatbot: Ref, options?: CallOptions): Promise<Usage> {
    return this.#get(`${pathOf(chatbot)}/usage`, options)
  }

  /** Lists usage by day, up to today. Omits days without a question. */
  usageByDay(
    chatbot: Ref,
    { days, utcOffset, ...options }: UsageByDayOptions = {},
  ): Promise<DayOfUse[]> {
    const query = { days, utc_offset: utcOffset }
    return this.#get(`${pathOf(chatbot)}/usage/days`, options, query)
  }

  /** Sets the monthly token budget. Pass null for no limit. */
  setTokenBudget(chatbot: Ref, tokens: number | null, options?: CallOptions): Promise<Success> {
    return this.#post(`${pathOf(chatbot)}/usage/budget`, { token_budget: tokens }, options)
  }

  #get<T>(path: string, options?: CallOptions, query = {}): Promise<T> {
    return this.#transport.json({ method: 'GET', path, query, isRepeatable: true }, options)
  }

  /** For POST requests that set or search, so they are safe to retry. */
  #post<T>(path: string, json: unknown, options?: CallOptions): Promise<T> {
    return this.#transport.json({ method: 'POST', path, json, isRepeatable: true }, options)
  }
}

function pathOf(chatbot: Ref): string {
  return `/chatbot/${uuidOf(chatbot)}`
}
