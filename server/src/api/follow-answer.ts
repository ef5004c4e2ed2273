import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveAnswer } from '../answering/live-answer.ts'
import { storedAnswer } from '../answering/stored-answer.ts'
import { AppError } from '../errors.ts'
import type { Message } from '../store/messages.ts'
import { sendEvents, wantsEvents } from './sse.ts'
import { sendText } from './text-stream.ts'

/** Sends what comes after the first `offset` bytes of an answer, live or finished. */
export async function followAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  running: LiveAnswer | undefined,
  message: Message,
  offset = 0,
): Promise<FastifyReply> {
  const live = running ?? storedAnswer(message)
  if (offset > Buffer.byteLength(live.text)) {
    const msg = 'is beyond what there is of the answer'
    const details = [{ loc: ['querystring', 'offset'], msg, type: 'too_big' }]
    throw new AppError('invalid', `Not valid: offset: ${msg}`, { details })
  }
  await (wantsEvents(request)
    ? sendEvents(request, reply, live, offset)
    : sendText(reply, live, offset))
  return reply
}
