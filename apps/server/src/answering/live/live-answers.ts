import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { findStoredMessages, type Message } from '../../features/messages/messages.store.ts'
import type { Turn } from '../answer.ts'
import { giveAnswer, type LiveServices } from './give-answer.ts'
import { LiveAnswer } from './live-answer.ts'

const LOOK_FOR_DELETION_MS = 1_000

/** All answers that run in this process. An answer continues after its client disconnects. */
export class LiveAnswers {
  readonly #running = new Map<string, LiveAnswer>()
  readonly #starting = new Set<Promise<void>>()
  #isWatching = false
  /** The grace period has ended. Answers that start now are interrupted at once. */
  #isOver = false

  get size(): number {
    return this.#running.size
  }

  /** Registers a question before it is stored, so that a stopping server waits for it. */
  async starting<T>(accept: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#starting.add(promise)
    try {
      return await accept()
    } finally {
      this.#starting.delete(promise)
      resolve()
    }
  }

  find(messageId: string): LiveAnswer | undefined {
    return this.#running.get(messageId)
  }

  /** `onBegin` is called with the first text of the answer, or at the end of an answer without text. */
  start(services: LiveServices, message: Message, turn: Turn, onBegin: () => void): LiveAnswer {
    const live = new LiveAnswer(message.id, onBegin)
    this.#running.set(message.id, live)
    void this.#endDeleted(services)
    if (this.#isOver) live.end('interrupted')
    void giveAnswer(services, live, turn).finally(() => this.#running.delete(message.id))
    return live
  }

  /** Lets running answers finish. After the grace period it stores them as they are. */
  async drain(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#endAll(), graceMs)
    while (this.size > 0 || this.#starting.size > 0) {
      const answers = [...this.#running.values()].map((live) => live.finished())
      await Promise.all([...this.#starting, ...answers])
      // Lets a finished answer leave the map. Without a turn of the event loop, this loop would spin forever.
      await nextTurn()
    }
    clearTimeout(timer)
  }

  /**
   * Ends answers whose message was deleted. A write would notice this, but a model that reasons silently would continue
   * for no reader. One query serves all answers, and queries do not overlap: there may be hundreds of answers, and a
   * database may be slow.
   */
  async #endDeleted({ db }: LiveServices): Promise<void> {
    if (this.#isWatching) return
    this.#isWatching = true
    while (this.size > 0) {
      await delay(LOOK_FOR_DELETION_MS, undefined, { ref: false })
      const all = [...this.#running.values()]
      const ids = all.map(({ messageId }) => messageId)
      const stored = await findStoredMessages(db, ids).catch(() => new Set(ids))
      for (const live of all) if (!stored.has(live.messageId)) live.end('cancelled')
    }
    this.#isWatching = false
  }

  #endAll(): void {
    this.#isOver = true
    for (const live of this.#running.values()) live.end('interrupted')
  }
}
