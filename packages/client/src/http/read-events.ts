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
 * Reads server-sent events. Calls `onSign` for every chunk, including comments: the server sends them as heartbeats.
 * Drops an incomplete event at the end of the connection.
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
