import type { AnswerEvent } from '../answer-event.ts'

export type ServerEvent =
  | AnswerEvent
  | {
      type: 'error'
      error: string
      code: string
      request_id: string
      params?: Record<string, string | number> | undefined
      details?: unknown
    }

/**
 * Reads server-sent events. `onSign` is called for whatever arrives, also the server's comments, which are there to
 * tell a quiet connection from a dead one. What is left half when the connection ends is dropped.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onSign: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let pending = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      onSign()
      pending += decoder.decode(value, { stream: true })
      const events = pending.split('\n\n')
      pending = events.pop()!
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) yield JSON.parse(data) as ServerEvent
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
