import { cutOff } from './errors.ts'

/** The text of a body as it comes in, to its last sign. */
export async function* readText(
  { body }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  if (!body) throw cutOff()
  const reader = body.getReader()
  // A mark at its beginning is part of a file.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => {
        throw signal?.aborted ? signal.reason : cutOff()
      })
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
