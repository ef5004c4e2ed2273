import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAnswer } from '../../answering/live/find-answer.ts'
import type { LiveAnswer } from '../../answering/live/live-answer.ts'
import type { Owned } from '../../database/rows/owned.ts'
import { invalid } from '../../errors.ts'
import type { Message } from '../../features/messages/messages.store.ts'
import type { Services } from '../../services.ts'
import { refuseIfEnded } from '../auth.ts'
import { sendEvents, wantsEvents } from './sse.ts'
import { sendText } from './text-stream.ts'

/** Waits until the answer has ended. Throws if the token was revoked meanwhile, as streams are cut then too. */
export async function waitForAnswer(request: FastifyRequest, live: LiveAnswer): Promise<void> {
  const since = performance.now()
  await live.finished()
  await refuseIfEnded(request, since)
}

/** Sends an answer, running or finished, from byte `offset` on. */
export async function followAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  message: Owned<Message>,
  offset = 0,
): Promise<FastifyReply> {
  const { live, leave } = await findAnswer(services, message)
  try {
    if (offset > Buffer.byteLength(live.text)) {
      const msg = 'is beyond the end of the answer'
      throw invalid([{ loc: ['querystring', 'offset'], msg, type: 'too_big' }])
    }
    return await sendAnswer(request, reply, live, offset)
  } finally {
    leave()
  }
}

/** Sends events or plain text, as the client asked. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  live: LiveAnswer,
  offset = 0,
): Promise<FastifyReply> {
  if (wantsEvents(request)) await sendEvents(request, reply, live, offset)
  else await sendText(reply, live, offset)
  return reply
}
