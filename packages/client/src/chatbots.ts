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
  /** At most so many passages, 1 to 50; 10 unless given. */
  limit?: number | undefined
  /** The question before, so that a follow-up is understood. */
  previousQuery?: string | undefined
}

export interface UsageByDayOptions extends CallOptions {
  days?: number | undefined
  /** Minutes by which the clock that the days go by is ahead of UTC. */
  utcOffset?: number | undefined
}

/** Chatbots, how they look, what was asked of them and what that cost. */
export class Chatbots {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a chatbot. What is not named has the server's defaults.
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
   * Changes the settings that are named, and no others.
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

  /** All of yours, oldest first, or the page that is asked for. */
  list(options: PageOptions = {}): Promise<Chatbot[]> {
    return listPage(this.#transport, '/chatbots', options)
  }

  /**
   * All of yours, page by page.
   *
   * @example
   * ```ts
   * for await (const { name } of client.chatbots.each()) console.log(name)
   * ```
   */
  each(options: PageOptions = {}): AsyncGenerator<Chatbot, void, undefined> {
    return eachOf(this.#transport, '/chatbots', options)
  }

  /** Deletes it with its sources, sessions and messages. */
  delete(chatbot: Ref, options?: CallOptions): Promise<Success> {
    const path = `${pathOf(chatbot)}/delete`
    return this.#transport.json({ method: 'DELETE', path }, options)
  }

  /**
   * What an answer would be made from, best first. Nothing is stored.
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

  /** How it answers, and the model that answers now. */
  answering(chatbot: Ref, options?: CallOptions): Promise<Answering> {
    return this.#get(`${pathOf(chatbot)}/answering`, options)
  }

  /**
   * Changes how it answers, in what is named alone.
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

  /** How it looks to visitors. */
  widget(chatbot: Ref, options?: CallOptions): Promise<Widget> {
    return this.#get(`${pathOf(chatbot)}/widget`, options)
  }

  updateWidget(chatbot: Ref, changes: Changes<Widget>, options?: CallOptions): Promise<Widget> {
    return this.#post(`${pathOf(chatbot)}/widget/update`, changes, options)
  }

  /**
   * Sessions in which something was asked, the newest first.
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
   * Every message of the conversations that the filters leave as the text of a file, piece by piece: the newest
   * conversation first, each from its beginning. What is cut off throws.
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

  /** Questions that the sources do not answer, or whose answer was rated down; the most frequent first. */
  unanswered(chatbot: Ref, options?: CallOptions): Promise<UnansweredQuestion[]> {
    return this.#get(`${pathOf(chatbot)}/unanswered`, options)
  }

  /** What it has used this month. */
  usage(chatbot: Ref, options?: CallOptions): Promise<Usage> {
    return this.#get(`${pathOf(chatbot)}/usage`, options)
  }

  /** Its use by day, up to today; days without a question are left out. */
  usageByDay(
    chatbot: Ref,
    { days, utcOffset, ...options }: UsageByDayOptions = {},
  ): Promise<DayOfUse[]> {
    const query = { days, utc_offset: utcOffset }
    return this.#get(`${pathOf(chatbot)}/usage/days`, options, query)
  }

  /** How many tokens it may use in a month; null for no limit. */
  setTokenBudget(chatbot: Ref, tokens: number | null, options?: CallOptions): Promise<Success> {
    return this.#post(`${pathOf(chatbot)}/usage/budget`, { token_budget: tokens }, options)
  }

  #get<T>(path: string, options?: CallOptions, query = {}): Promise<T> {
    return this.#transport.json({ method: 'GET', path, query, isRepeatable: true }, options)
  }

  /** What sets or searches, and may be done twice. */
  #post<T>(path: string, json: unknown, options?: CallOptions): Promise<T> {
    return this.#transport.json({ method: 'POST', path, json, isRepeatable: true }, options)
  }
}

function pathOf(chatbot: Ref): string {
  return `/chatbot/${uuidOf(chatbot)}`
}
