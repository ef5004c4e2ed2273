import { type ChatApi, RequestError, requireOk } from './chat-api.ts'
import { readEvents } from './read-events.ts'

export type Progress =
  | { type: 'started'; uuid: string }
  | { type: 'text'; text: string }
  | { type: 'reconnecting' }
  | { type: 'ended'; finishReason: string }
  | { type: 'failed'; error: string }

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000

interface Following {
  api: ChatApi
  /** Known beforehand when an answer is taken up again. */
  uuid?: string
  /** How much of the answer is here already, in bytes. */
  bytes?: number
  /** How the first connection is made, if not by following. */
  first?: () => Promise<Response>
  signal: AbortSignal
}

/**
 * Follows an answer to its end. When the connection breaks it goes on, by itself, at the byte where it broke off:
 * nothing is missing and nothing comes twice.
 */
export async function* followAnswer(following: Following): AsyncGenerator<Progress> {
  const { api, first, signal } = following
  let { uuid, bytes = 0 } = following
  let connect = first ?? (() => api.follow(uuid!, bytes, signal))
  let wait = FIRST_WAIT_MS
  while (!signal.aborted) {
    try {
      const response = await requireOk(await connect())
      wait = FIRST_WAIT_MS
      for await (const event of readEvents(response)) {
        if (event.type === 'message-start') {
          uuid = event.uuid
          yield { type: 'started', uuid }
        } else if (event.type === 'text-delta') {
          const text = unseen(event.text, bytes - event.offset)
          bytes = Math.max(bytes, event.offset + byteLength(event.text))
          if (text !== '') yield { type: 'text', text }
        } else if (event.type === 'message-end') {
          return yield { type: 'ended', finishReason: event.finish_reason }
        } else {
          return yield { type: 'failed', error: event.error }
        }
      }
    } catch (error) {
      if (signal.aborted) return
      const isRefusal = error instanceof RequestError && error.status !== 503
      // Before the first event it is not known whether the question arrived.
      if (isRefusal || uuid === undefined) throw error
    }
    if (signal.aborted || uuid === undefined) return
    yield { type: 'reconnecting' }
    await pause(wait, signal)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    connect = () => api.follow(uuid!, bytes, signal)
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Without the first bytes, which were seen before. */
function unseen(text: string, seenBytes: number): string {
  if (seenBytes <= 0) return text
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(seenBytes))
}

/** For so long, or until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    globalThis.addEventListener?.('online', done)
    signal.addEventListener('abort', done)
  })
}
