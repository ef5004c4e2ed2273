import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { untilAvailable } from '../../database/postgres/postgres-errors.ts'
import {
  appendPart,
  finishMessage,
  isFinishedAs,
  type Outcome,
} from '../../features/messages/messages.store.ts'
import { appendOwnPart } from '../../features/messages/running-answers.store.ts'
import type { Node } from '../../jobs/node.ts'
import type { AnsweringServices } from '../answer.ts'
import type { LiveAnswer } from './live-answer.ts'

interface GrowthServices extends Pick<AnsweringServices, 'log'> {
  db: Database
  /** Undefined where this process is the only one. */
  node: Node | undefined
  /** Aborted when the server begins to stop. */
  stopping: AbortSignal
}

const LOST = new Error('The answer is lost')

// Readers do not need more than 25 updates a second, and each part is a separate write.
const PAUSE_MS = 40

/**
 * Stores text before followers see it. Text that arrives during a write, or shortly after it, waits for the next write.
 */
export class StoredGrowth {
  readonly #services: GrowthServices
  readonly #live: LiveAnswer
  /** Ends the pause between two parts. */
  readonly #ending = new AbortController()
  #pending = ''
  #underWay = ''
  #parts = 0
  #writing: Promise<void> | undefined
  #isLost = false

  constructor(services: GrowthServices, live: LiveAnswer) {
    this.#services = services
    this.#live = live
  }

  add(text: string): void {
    this.#pending += text
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** All text, stored or not. */
  get text(): string {
    return this.#live.text + this.#underWay + this.#pending
  }

  /**
   * Stores the whole answer and returns the text that followers have not seen. Undefined means that the answer is lost.
   * A short answer takes a single write, because it completes before its first part is written. A part in progress is
   * not awaited, because the whole contains it. With several nodes it is awaited, because a part after the end is
   * rejected.
   */
  async finish(outcome: Outcome): Promise<string | undefined> {
    const { db, node, stopping } = this.#services
    const { messageId } = this.#live
    this.#ending.abort()
    if (node) await this.#writing
    this.#pending = ''
    const write = () => finishMessage(db, messageId, outcome, node?.id)
    const isStored =
      (await untilAvailable(write, stopping)) ||
      // A lost connection may have completed the write.
      (await isFinishedAs(db, messageId, outcome))
    await this.#writing
    return isStored && !this.#isLost ? outcome.response.slice(this.#live.text.length) : undefined
  }

  async #write(): Promise<void> {
    await nextTurn()
    for (let text = this.#takeWhole(); text !== ''; text = this.#takeWhole()) {
      this.#underWay = text
      try {
        await this.#append(text)
      } catch (error) {
        // The message was deleted, or another node ended the answer. Readers cannot get the rest.
        this.#isLost = error === LOST || isForeignKeyViolation(error)
        if (this.#isLost) this.#live.end('cancelled')
        else this.#services.log.error({ err: error }, 'part could not be stored')
        this.#pending = text + this.#pending
        return
      } finally {
        this.#underWay = ''
      }
      this.#live.grow(text)
      await delay(PAUSE_MS, undefined, { signal: this.#ending.signal }).catch(() => {})
    }
  }

  async #append(text: string): Promise<void> {
    const { db, node, stopping } = this.#services
    const { messageId } = this.#live
    if (!node) {
      await appendPart(db, messageId, this.#parts++, text)
      return
    }
    const isStored = await untilAvailable(
      () => appendOwnPart(db, node.id, messageId, this.#parts, text),
      stopping,
    )
    if (!isStored) throw LOST
    this.#parts += 1
  }

  /** Takes whole characters only: half of a surrogate pair waits for the other half. */
  #takeWhole(): string {
    const last = this.#pending.charCodeAt(this.#pending.length - 1)
    const cut = last >= 0xd800 && last <= 0xdbff ? -1 : this.#pending.length
    const text = this.#pending.slice(0, cut)
    this.#pending = this.#pending.slice(text.length)
    return text
  }
}
