import type { AnswerFacts, ChatApi, ChatMessage, Citation, Rating } from './chat-api.ts'
import { followAnswer, type Progress } from './follow-answer.ts'

/** A question and what there is of its answer. */
export interface Turn {
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
  loadError: string
}

const EMPTY: ConversationState = { turns: [], isLoading: true, loadError: '' }

/** The state of one chat, apart from how it is drawn. Text that arrives is shown with the next frame, not at once. */
export class Conversation {
  readonly #api: ChatApi
  readonly #abort = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #nextFrame: (draw: () => void) => void
  #state = EMPTY
  #drawn = EMPTY
  #isDrawing = false
  #keys = 0

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

  /** What was said before. An answer that still runs is taken up where it is. */
  async load(): Promise<void> {
    try {
      const messages = await this.#api.listMessages()
      this.#change({
        turns: messages.map((message) => this.#toTurn(message)),
        isLoading: false,
        loadError: '',
      })
    } catch (error) {
      this.#change({ ...this.#state, isLoading: false, loadError: messageOf(error) })
      return
    }
    const running = this.#state.turns.find(({ state }) => state === 'streaming')
    if (running) await this.#resume(running)
  }

  /** Nobody looks at it any more. The answer goes on without. */
  close(): void {
    this.#abort.abort()
    this.#listeners.clear()
  }

  async ask(question: string): Promise<void> {
    if (this.isAnswering) return
    const turn: Turn = {
      key: this.#nextKey(),
      uuid: undefined,
      question,
      text: '',
      state: 'waiting',
      finishReason: '',
      error: '',
      citations: {},
      rating: null,
    }
    this.#change({ ...this.#state, turns: [...this.#state.turns, turn] })
    const { signal } = this.#abort
    try {
      await this.#show(
        turn.key,
        followAnswer({ api: this.#api, first: () => this.#api.ask(question, signal), signal }),
      )
    } catch (error) {
      if (error instanceof TypeError && (await this.#adopt(turn))) return
      this.#fail(turn.key, messageOf(error))
    }
  }

  async stop(): Promise<void> {
    const uuid = this.#state.turns.at(-1)?.uuid
    if (uuid && this.isAnswering) await this.#api.stop(uuid).catch(() => {})
  }

  /** Asks the same again. A question that never arrived makes room for its second try. */
  retry(key: string): Promise<void> {
    const turn = this.#state.turns.find((one) => one.key === key)
    if (!turn) return Promise.resolve()
    if (turn.uuid === undefined) {
      this.#change({ ...this.#state, turns: this.#state.turns.filter((one) => one !== turn) })
    }
    return this.ask(turn.question)
  }

  async rate(key: string, rating: Rating, comment?: string): Promise<void> {
    const turn = this.#state.turns.find((one) => one.key === key)
    if (!turn?.uuid) return
    this.#edit(key, { rating })
    await this.#api
      .rate(turn.uuid, rating, comment)
      .catch(() => this.#edit(key, { rating: turn.rating }))
  }

  /** The connection broke before the server said anything: the question may have arrived all the same. */
  async #adopt(turn: Turn): Promise<boolean> {
    const known = new Set(this.#state.turns.map(({ uuid }) => uuid))
    const messages = await this.#api.listMessages().catch(() => [])
    const message = messages.at(-1)
    if (!message || known.has(message.uuid) || message.question !== turn.question) return false
    this.#edit(turn.key, { ...this.#toTurn(message), key: turn.key })
    const adopted = this.#state.turns.find(({ key }) => key === turn.key)!
    if (adopted.state === 'streaming') await this.#resume(adopted)
    return true
  }

  async #resume({ key, uuid, text }: Turn): Promise<void> {
    const bytes = new TextEncoder().encode(text).length
    const { signal } = this.#abort
    try {
      await this.#show(key, followAnswer({ api: this.#api, uuid: uuid!, bytes, signal }))
    } catch (error) {
      this.#fail(key, messageOf(error))
    }
  }

  async #show(key: string, progress: AsyncGenerator<Progress>): Promise<void> {
    for await (const step of progress) {
      switch (step.type) {
        case 'started':
          this.#edit(key, { uuid: step.uuid })
          break
        case 'text':
          this.#edit(key, (turn) => ({ text: turn.text + step.text, state: 'streaming' }))
          break
        case 'reconnecting':
          this.#edit(key, { state: 'reconnecting' })
          break
        case 'failed':
          this.#fail(key, step.error)
          await this.#cite(key)
          break
        case 'ended':
          await this.#finish(key, step.finishReason)
      }
    }
  }

  /** The stream is not the record: what is stored has the citations. */
  async #finish(key: string, finishReason: string): Promise<void> {
    const message = await this.#readRecord(key)
    if (message) this.#edit(key, { ...this.#toTurn(message), key })
    else this.#edit(key, { state: 'done', finishReason })
  }

  /** What came before an answer failed is cited as well. */
  async #cite(key: string): Promise<void> {
    const message = await this.#readRecord(key)
    if (message) this.#edit(key, { citations: message.citations })
  }

  async #readRecord(key: string): Promise<ChatMessage | undefined> {
    const uuid = this.#state.turns.find((turn) => turn.key === key)?.uuid
    return uuid === undefined ? undefined : this.#api.getMessage(uuid).catch(() => undefined)
  }

  #fail(key: string, error: string): void {
    this.#edit(key, { state: 'failed', error })
  }

  #toTurn(message: ChatMessage): Turn {
    const { finishReason } = message
    return {
      key: this.#nextKey(),
      ...message,
      state: finishReason === '' ? 'streaming' : finishReason === 'error' ? 'failed' : 'done',
    }
  }

  #nextKey(): string {
    this.#keys += 1
    return String(this.#keys)
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

function messageOf(error: unknown): string {
  // What fetch says when there is no connection is no sentence for people: the chat has its own.
  return error instanceof TypeError ? '' : error instanceof Error ? error.message : String(error)
}
