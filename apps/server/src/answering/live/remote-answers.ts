import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishReason } from '@docent/contract/messages.ts'
import type { Database } from '../../database/database.ts'
import type { AppError } from '../../errors.ts'
import { type Growth, readGrowth } from '../../features/messages/running-answers.store.ts'
import { LiveAnswer } from './live-answer.ts'
import { storedFailure } from './stored-answer.ts'

const LOOK_MS = 100

interface Followed {
  live: LiveAnswer
  followers: number
  /** The first part that has not been read. */
  next: number
  /** Resolves after the first read. */
  seen: Promise<void> | undefined
}

/**
 * Follows answers of other nodes through their stored text. One query reads all of them, and only while they have
 * followers.
 */
export class RemoteAnswers {
  readonly #db: Database
  readonly #followed = new Map<string, Followed>()
  #looking = false

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the answer with its text so far. Call `leave` afterwards. */
  async follow(messageId: string): Promise<LiveAnswer> {
    let followed = this.#followed.get(messageId)
    if (!followed) {
      followed = { live: new LiveAnswer(messageId), followers: 0, next: 0, seen: undefined }
      this.#followed.set(messageId, followed)
    }
    followed.followers += 1
    followed.seen ??= this.#lookAt([{ id: messageId, next: 0 }])
    try {
      await followed.seen
    } catch (error) {
      this.leave(messageId)
      throw error
    }
    if (!this.#looking) void this.#look()
    return followed.live
  }

  leave(messageId: string): void {
    const followed = this.#followed.get(messageId)
    if (!followed) return
    followed.followers -= 1
    if (followed.followers === 0) this.#followed.delete(messageId)
  }

  async #look(): Promise<void> {
    this.#looking = true
    while (this.#followed.size > 0) {
      await sleep(LOOK_MS)
      const asked = [...this.#followed].map(([id, { next }]) => ({ id, next }))
      // While the database is unavailable, nothing grows and followers wait.
      await this.#lookAt(asked).catch(() => {})
    }
    this.#looking = false
  }

  async #lookAt(asked: { id: string; next: number }[]): Promise<void> {
    const found = await readGrowth(this.#db, asked)
    for (const { id, next } of asked) this.#grow(id, next, found)
  }

  #grow(id: string, next: number, found: Growth[]): void {
    const followed = this.#followed.get(id)
    if (!followed || followed.live.finishReason || followed.next !== next) return
    const { live } = followed
    const growth = found.find((one) => one.id === id)
    if (!growth) {
      this.#end(live, 'cancelled')
      return
    }
    if (growth.response === null) {
      if (growth.parts.length === 0) return
      followed.next += growth.parts.length
      live.grow(growth.parts.join(''))
      return
    }
    if (growth.response.length > live.text.length) {
      live.grow(growth.response.slice(live.text.length))
    }
    if (growth.finish_reason !== '') this.#end(live, growth.finish_reason, storedFailure(growth))
  }

  /** Followers keep the answer itself. Only the polling stops. */
  #end(live: LiveAnswer, reason: FinishReason, failure?: AppError): void {
    this.#followed.delete(live.messageId)
    live.finish(reason, failure)
  }
}
