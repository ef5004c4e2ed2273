import type { FastifyReply } from 'fastify'
import type { LiveAnswer } from '../../answering/live/live-answer.ts'
import { AnswerStream } from './answer-stream.ts'

const TEXT = 'text/plain; charset=utf-8'
const PATIENCE_MS = 500

/** Some clients drop chunks of white space only, and misread chunks that are valid JSON. */
export function isSafeChunk(text: string): boolean {
  const trimmed = text.trim()
  if (trimmed === '') return false
  if (!/^[[{"\-\dtfn]/.test(trimmed)) return true
  try {
    JSON.parse(trimmed)
    return false
  } catch {
    return true
  }
}

/**
 * Finds the last character that no JSON begins with. The text from there on is held back, so that it cannot become
 * JSON: after “euros.”, an answer may end with “[1.1]”, which alone would be a list.
 */
export function safeChunkLength(text: string): number {
  let place = text.length - 1
  while (place > 0 && /[\s[{"\-\dtfn]/.test(text[place]!)) place -= 1
  const isSecondHalf = /[\udc00-\udfff]/.test(text[place] ?? '')
  return Math.max(0, isSecondHalf ? place - 1 : place)
}

/**
 * Streams an answer as plain text from the given byte on. The end of the connection is the end of the answer, so an
 * answer that fails in the middle is cut off instead of ended. The status leaves with the first text. Before that, a
 * failure or a revoked token is thrown and gets its own status. The last few characters wait briefly for the next ones.
 */
export async function sendText(reply: FastifyReply, live: LiveAnswer, offset = 0): Promise<void> {
  const stream = new AnswerStream(reply, live)
  let { sent, head } = startAt(live.text, offset)
  if (head.length > 0) {
    stream.start(TEXT)
    await stream.write(head)
  }
  let isLate = false
  let patience: NodeJS.Timeout | undefined
  const beLate = () => {
    isLate = true
    live.announce()
  }
  while (!stream.gone && !live.finishReason) {
    const piece = live.text.slice(sent)
    const ready = isLate ? piece : piece.slice(0, safeChunkLength(piece))
    isLate = false
    if (isSafeChunk(ready)) {
      await stream.refuseIfEnded()
      sent += ready.length
      stream.start(TEXT)
      await stream.write(ready)
    } else {
      if (piece !== '') patience = patience?.refresh() ?? setTimeout(beLate, PATIENCE_MS)
      await live.changed()
    }
  }
  clearTimeout(patience)
  if (stream.gone) return
  await stream.refuseIfEnded()
  const rest = live.text.slice(sent)
  const last = rest.trim() === '' ? '' : rest
  if (live.failure && !stream.started && last === '') {
    reply.header('x-message-uuid', live.messageId)
    throw live.failure
  }
  stream.start(TEXT)
  if (!live.failure) stream.end(last)
  else {
    if (last !== '') await stream.write(last)
    stream.cut()
  }
}

/** Converts a byte offset to a place in the text. If the offset cuts a character, `head` holds its other bytes. */
function startAt(text: string, offset: number): { sent: number; head: Uint8Array } {
  const bytes = Buffer.from(text)
  let whole = offset
  while (whole < bytes.length && (bytes[whole]! & 0xc0) === 0x80) whole += 1
  return { sent: bytes.subarray(0, whole).toString().length, head: bytes.subarray(offset, whole) }
}
