import type { StreamEvent } from '@docent/contract/messages.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveAnswer } from '../../answering/live/live-answer.ts'
import { toPublicError } from '../errors/error-handler.ts'
import { AnswerStream } from './answer-stream.ts'

const HEARTBEAT_MS = 10_000

/** Whether the client names the type of events and does not prefer plain text. */
export function wantsEvents({ headers }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? ''
  // Most clients name no types, or not this one.
  if (!accept.includes('text/event-stream')) return false
  const liking = (type: string) => {
    const named = accept.split(',').find((part) => part.split(';')[0]!.trim() === type)
    if (named === undefined) return 0
    return Number(/;\s*q\s*=\s*([\d.]+)/.exec(named)?.[1] ?? 1)
  }
  const events = liking('text/event-stream')
  return events > 0 && events >= liking('text/plain')
}

/** Streams an answer as server-sent events. The headers leave at once, so a failure is an event too. */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  live: LiveAnswer,
  offset = 0,
): Promise<void> {
  const stream = new AnswerStream(reply, live)
  const heartbeat = setInterval(() => stream.heartbeat(': still here\n\n'), HEARTBEAT_MS)
  const send = (event: StreamEvent) => {
    heartbeat.refresh()
    return stream.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  stream.start('text/event-stream; charset=utf-8')

  await send({ type: 'message-start', uuid: live.messageId })
  let sent = charactersIn(live.text, offset)
  let bytes = Buffer.byteLength(live.text.slice(0, sent))
  let failure: Error | undefined
  while (!stream.gone) {
    const text = live.text.slice(sent)
    if (text === '' && !live.finishReason) {
      await live.changed()
      continue
    }
    failure = await stream.refuseIfEnded().then(nothing, (refusal: Error) => refusal)
    if (failure || text === '') break
    sent += text.length
    await send({ type: 'text-delta', text, offset: bytes })
    bytes += Buffer.byteLength(text)
  }
  clearInterval(heartbeat)
  if (stream.gone) return
  failure ??= live.failure
  if (failure) {
    const { status: _, ...error } = toPublicError(failure, request)
    await send({ type: 'error', ...error })
  } else {
    await send({ type: 'message-end', uuid: live.messageId, finish_reason: live.finishReason! })
  }
  stream.end()
}

const nothing = () => undefined

/** How many UTF-16 units the first bytes hold. A character that they cut is sent again in full. */
function charactersIn(text: string, bytes: number): number {
  const all = Buffer.from(text)
  let end = Math.min(bytes, all.length)
  while (end > 0 && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return all.subarray(0, end).toString().length
}
