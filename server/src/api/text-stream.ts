import type { FastifyReply } from 'fastify'
import type { LiveAnswer } from '../answering/live-answer.ts'
import { RawStream } from './raw-stream.ts'

const TEXT = 'text/plain; charset=utf-8'

/** Readers of chunks drop one that is only white space and misread one that is JSON by itself. */
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
 * Sends an answer as plain text while it grows, from the given byte on. The end of the connection is the end of the
 * answer, so an answer that failed in the middle is cut off instead of ended. The status leaves with the first text:
 * a failure before it is thrown and becomes a status of its own.
 */
export async function sendText(reply: FastifyReply, live: LiveAnswer, offset = 0): Promise<void> {
  const stream = new RawStream(reply, live)
  let { sent, head } = startAt(live.text, offset)
  if (head.length > 0) {
    stream.start(TEXT)
    await stream.write(head)
  }
  while (!stream.gone && !live.finishReason) {
    const piece = live.text.slice(sent)
    if (isSafeChunk(piece)) {
      sent += piece.length
      stream.start(TEXT)
      await stream.write(piece)
    } else {
      await live.changed()
    }
  }
  if (stream.gone) return
  const rest = live.text.slice(sent)
  const last = rest.trim() === '' ? '' : rest
  if (live.failure && !stream.started && last === '') throw live.failure
  stream.start(TEXT)
  if (!live.failure) stream.end(last)
  else {
    if (last !== '') await stream.write(last)
    stream.cut()
  }
}

/** The place in the text that a byte offset means. Inside of a character, its other bytes come first, by themselves. */
function startAt(text: string, offset: number): { sent: number; head: Uint8Array } {
  const bytes = Buffer.from(text)
  let whole = offset
  while (whole < bytes.length && (bytes[whole]! & 0xc0) === 0x80) whole += 1
  return { sent: bytes.subarray(0, whole).toString().length, head: bytes.subarray(offset, whole) }
}
