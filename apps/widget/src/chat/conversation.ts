import type { AnswerEvent, FollowOptions } from '@docent/client'
import { ApiError, ConnectionError } from '@docent/client/http/errors.ts'
import { isAway } from '@docent/client/http/send-request.ts'
import { newKey } from '@docent/client/sessions.ts'
import {
  type AnswerFacts,
  type ChatApi,
  type ChatMessage,
  type Citation,
  ConversationGone,
  type Rating,
} from './chat-api.ts'

/** A question with its answer so far. */
export interface Turn {
  /** Also the idempotency key: the server stores a question once per key. */
  key: string
  uuid: string | undefined
  question: string
  text: string
  state: 'waiting' | 'streaming' | 'reconnecting' | 'done' | 'failed'
  finishReason: string
  error: string
  citations: Record<string, Citation>
  rating: Rating | null
  facts?: AnswerFacts
}

export interface ConversationState {
  turns: readonly Turn[]
  isLoading: boolean
  /** Why loading failed. Empty if the server was not reached. */
  loadError: string | undefined
  /** The owner has deleted the conversation. */
  isGone: boolean
  hasOlder: boolean
  isLoadingOlder: boolean
  /** Why loading older messages failed. Empty if the server was not reached. */
  olderError: string | undefined
}

const EMPTY: ConversationState = {
  turns: [],
  isLoading: true,
  loadError: undefined,
  isGone: false,
  hasOlder: false,
  isLoadingOlder: false,
  olderError: undefined,
}
// A few seconds. Then the user sees the failure and can try again.
const TRIES_TO_ASK = 4

/** The state of a chat, without its rendering. New text appears with the next animation frame. */
export class Conversation {
  readonly #api: ChatApi
  readonly #abort = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #nextFrame: (draw: () => void) => void
  #state = EMPTY
  #drawn = EMPTY
  #isDrawing = false

  constructor(
    api: ChatApi,
    nextFrame: (draw: () => void) => void = (draw) => requestAnimationFrame(draw),
  ) {
    this.#api = api
    this.#nextFrame = nextFrame
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): ConversationState => this.#drawn

  get isAnswering(): boolean {
    const last = this.#state.turns.at(-1)
    return last !== undefined && last.state !== 'done' && last.state !== 'failed'
  }

  /** Loads earlier messages and follows a running answer. */
  async load(): Promise<void> {
    this.#change({ ...this.#state, isLoading: true, loadError: undefined })
    let loaded: Turn[]
    try {
      loaded = (await this.#api.listMessages()).map((message) => this.#toTurn(message))
    } catch (error) {
      const isGone = error instanceof ConversationGone
      const loadError = isGone ? undefined : this.#explain(error)
      this.#change({ ...this.#state, isLoading: false, loadError, isGone })
      return
    }
    // The user may have asked a question while loading.
    const asked = this.#state.turns.filter(({ uuid }) => !loaded.some((one) => one.uuid === uuid))
    const hasOlder = this.#api.hasOlder?.() ?? false
    this.#change({ ...this.#state, turns: [...loaded, ...asked], isLoading: false, hasOlder })
    const running = loaded.find(({ state }) => state === 'streaming')
    if (running) await this.#resume(running)
  }

  async loadOlder(): Promise<void> {
    const first = this.#state.turns[0]?.uuid
    if (first === undefined || this.#state.isLoadingOlder) return
    this.#change({ ...this.#state, isLoadingOlder: true, olderError: undefined })
    try {
      const older = (await this.#api.listMessages(first)).map((message) => this.#toTurn(message))
      const hasOlder = this.#api.hasOlder?.() ?? false
      const turns = [...older, ...this.#state.turns]
      this.#change({ ...this.#state, turns, hasOlder, isLoadingOlder: false })
    } catch (error) {
      const olderError = this.#explain(error)
      this.#change({ ...this.#state, isLoadingOlder: false, olderError })
    }
  }

  /** Stops following. The answer continues on the server. */
  close(): void {
    this.#abort.abort()
    this.#listeners.clear()
  }

  async ask(question: string, key = newKey()): Promise<void> {
    if (this.isAnswering) return
    const turn: Turn = {
      key,
      uuid: undefined,
      question,
      text: '',
      state: 'waiting',
      finishReason: '',
      error: '',
      citations: {},
      rating: null,
    }
    const others = this.#state.turns.filter((one) => one.key !== key)
    this.#change({ ...this.#state, turns: [...others, turn] })
    const options = { ...this.#followOptions(key), idempotencyKey: key, reconnects: TRIES_TO_ASK }
    try {
      await this.#show(key, this.#api.ask(question, options))
    } catch (error) {
      const asked = this.#find(key)
      if (asked?.uuid !== undefined && error instanceof ConnectionError) await this.#resume(asked)
      else await this.#fail(key, error)
    }
  }

  async stop(): Promise<void> {
    const uuid = this.#state.turns.at(-1)?.uuid
    if (uuid && this.isAnswering) await this.#api.stop(uuid).catch(() => {})
  }

  /** Asks again. If the server may not have received the question, the retry replaces it under the same key. */
  retry(key: string): Promise<void> {
    const turn = this.#find(key)
    if (!turn) return Promise.resolve()
    return this.ask(turn.question, turn.uuid === undefined ? key : undefined)
  }

  /** Returns whether the rating was stored. Otherwise the old rating is restored. */
  async rate(key: string, rating: Rating, comment?: string): Promise<boolean> {
    const turn = this.#find(key)
    if (!turn?.uuid) return false
    this.#edit(key, { rating })
    try {
      await this.#api.rate(turn.uuid, rating, comment)
      return true
    } catch {
      this.#edit(key, { rating: turn.rating })
      return false
    }
  }

  /** Follows an existing answer, and reconnects for as long as the chat is open. */
  async #resume({ key, uuid, text }: Turn): Promise<void> {
    const offset = new TextEncoder().encode(text).length
    const options = { ...this.#followOptions(key), offset, reconnects: Number.POSITIVE_INFINITY }
    try {
      await this.#show(key, this.#api.follow(uuid!, options))
    } catch (error) {
      await this.#fail(key, error)
    }
  }

  #followOptions(key: string): FollowOptions {
    return {
      signal: this.#abort.signal,
      // Show rejections to the user at once, including those with a Retry-After header.
      retries: 0,
      onReconnect: () => this.#edit(key, { state: 'reconnecting' }),
    }
  }

  async #show(key: string, events: AsyncIterable<AnswerEvent>): Promise<void> {
    for await (const event of events) {
      switch (event.type) {
        case 'message-start':
          this.#edit(key, ({ text }) => ({
            uuid: event.uuid,
            state: text === '' ? 'waiting' : 'streaming',
          }))
          break
        case 'text-delta':
          this.#edit(key, (turn) => ({ text: turn.text + event.text, state: 'streaming' }))
          break
        case 'message-end':
          await this.#finish(key, event.finish_reason)
      }
    }
  }

  /** Reads the stored message, because the stream lacks the citations. */
  async #finish(key: string, finishReason: string): Promise<void> {
    const message = await this.#readRecord(key)
    if (message) this.#edit(key, { ...this.#toTurn(message), key })
    else this.#edit(key, { state: 'done', finishReason })
  }

  /** Text before the failure may have citations too. */
  async #fail(key: string, error: unknown): Promise<void> {
    if (this.#abort.signal.aborted) return
    this.#edit(key, { state: 'failed', error: this.#explain(error) })
    const message = await this.#readRecord(key)
    if (message) this.#edit(key, { citations: message.citations })
  }

  #explain(error: unknown): string {
    return this.#api.explain?.(error) ?? messageOf(error)
  }

  async #readRecord(key: string): Promise<ChatMessage | undefined> {
    const uuid = this.#find(key)?.uuid
    return uuid === undefined ? undefined : this.#api.getMessage(uuid).catch(() => undefined)
  }

  #toTurn(message: ChatMessage): Turn {
    const { finishReason, error } = message
    return {
      key: newKey(),
      ...message,
      error: error === '' ? '' : (this.#api.explainStored?.(message) ?? error),
      state: finishReason === '' ? 'streaming' : finishReason === 'error' ? 'failed' : 'done',
    }
  }

  #find(key: string): Turn | undefined {
    return this.#state.turns.find((turn) => turn.key === key)
  }

  #edit(key: string, change: Partial<Turn> | ((turn: Turn) => Partial<Turn>)): void {
    const turns = this.#state.turns.map((turn) =>
      turn.key === key
        ? { ...turn, ...(typeof change === 'function' ? change(turn) : change) }
        : turn,
    )
    this.#change({ ...this.#state, turns })
  }

  #change(state: ConversationState): void {
    this.#state = state
    if (this.#isDrawing) return
    this.#isDrawing = true
    this.#nextFrame(() => {
      this.#isDrawing = false
      this.#drawn = this.#state
      for (const listener of this.#listeners) listener()
    })
  }
}

/** The server's message. Connection and proxy errors use the chat's own text instead. */
function messageOf(error: unknown): string {
  return error instanceof ApiError && !isAway(error) ? error.message : ''
}
