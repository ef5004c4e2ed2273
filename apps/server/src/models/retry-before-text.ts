import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelEvent } from './catalog.ts'
import { ProviderError } from './provider-error.ts'

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 200
// Whoever waits for an answer does not wait longer than this for a provider to be ready again.
const LONGEST_PAUSE_MS = 5_000

/** Tries again what may pass by itself, as long as nothing was said: a reader never sees two beginnings. */
export async function* retryBeforeText(
  attempt: () => AsyncGenerator<ModelEvent>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (let tried = 1; ; tried++) {
    let spoken = false
    try {
      for await (const event of attempt()) {
        spoken = true
        yield event
      }
      return
    } catch (error) {
      const pause =
        spoken || signal.aborted || tried === ATTEMPTS ? undefined : pauseFor(error, tried)
      if (pause === undefined) throw error
      await sleep(pause, undefined, { signal })
    }
  }
}

/** Undefined where trying again is no use, or not soon enough. */
function pauseFor(error: unknown, tried: number): number | undefined {
  if (!(error instanceof ProviderError) || !error.mayPass) return undefined
  // At random, so that many who were refused at once do not come back at once.
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random())
  const wanted = Math.max(pause, error.retryAfterMs ?? 0)
  return wanted <= LONGEST_PAUSE_MS ? wanted : undefined
}
