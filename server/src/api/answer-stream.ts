import type { FastifyReply } from 'fastify'
import type { LiveAnswer } from '../answering/live-answer.ts'
import { RawStream } from './raw-stream.ts'

/** The connection of one follower of an answer, which goes on when he leaves or is cut off. */
export class AnswerStream extends RawStream {
  readonly #live: LiveAnswer

  constructor(reply: FastifyReply, live: LiveAnswer) {
    super(reply, () => live.nudge())
    this.#live = live
  }

  start(contentType: string): void {
    const { messageId, finishReason } = this.#live
    this.open({
      'content-type': contentType,
      'x-message-uuid': messageId,
      ...(finishReason && { 'x-finish-reason': finishReason }),
    })
  }
}
