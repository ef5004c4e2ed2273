import { cutOff } from './errors.ts'

/** Decodes a body as it arrives. Throws if it is cut off. */
export async function* readText(
  { body }: Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  if (!body) throw cutOff()
  const reader = body.getReader()
  // A byte order mark is part of the file, so keep it.
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
