/** What the server tells of an answer while it is given. `offset` is in bytes. */
export type AnswerEvent =
  | { type: 'message-start'; uuid: string }
  | { type: 'text-delta'; text: string; offset: number }
  | { type: 'message-end'; uuid: string; finish_reason: string }
  | { type: 'error'; error: string; code: string }

/** Reads server-sent events from a response. Ends when the connection does, for whatever reason. */
export async function* readEvents(response: Response): AsyncGenerator<AnswerEvent> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let pending = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      pending += value
      const events = pending.split('\n\n')
      pending = events.pop()!
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) yield JSON.parse(data)
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
