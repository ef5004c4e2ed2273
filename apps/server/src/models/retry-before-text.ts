import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelEvent } from './model-catalog.ts'
import { ProviderError } from './provider-error.ts'

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 200
// A waiting user does not wait longer than this for a provider to recover.
const LONGEST_PAUSE_MS = 5_000

/** Retries temporary failures only before the first text, so that a reader never sees two beginnings. */
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

/** Returns undefined if a retry is useless or would come too late. */
function pauseFor(error: unknown, tried: number): number | undefined {
  if (!(error instanceof ProviderError) || !error.mayPass) return undefined
  // Jitter, so that requests rejected together do not return together.
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.5 + Math.random())
  const wanted = Math.max(pause, error.retryAfterMs ?? 0)
  return wanted <= LONGEST_PAUSE_MS ? wanted : undefined
}
