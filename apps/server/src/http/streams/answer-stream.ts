import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveAnswer } from '../../answering/live/live-answer.ts'
import { refuseIfEnded } from '../auth.ts'
import { RawStream } from './raw-stream.ts'

/** The connection of a follower of an answer. The answer goes on if the follower leaves or is cut off. */
export class AnswerStream extends RawStream {
  readonly #live: LiveAnswer
  readonly #request: FastifyRequest
  readonly #since = performance.now()
  #isChecked = false

  constructor(reply: FastifyReply, live: LiveAnswer) {
    super(reply, () => live.announce())
    this.#live = live
    this.#request = reply.request
  }

  start(contentType: string): void {
    const { messageId, finishReason } = this.#live
    this.open({
      'content-type': contentType,
      'x-message-uuid': messageId,
      ...(finishReason && { 'x-finish-reason': finishReason }),
    })
  }

  /** Called before the first text. Throws if the caller's token was revoked during the wait. */
  async refuseIfEnded(): Promise<void> {
    if (this.#isChecked) return
    this.#isChecked = true
    await refuseIfEnded(this.#request, this.#since)
  }
}
