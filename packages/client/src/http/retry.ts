const FIRST_WAIT_MS = 250
const LONGEST_BACK_OFF_MS = 8_000

/** Exponential backoff with jitter of up to half, so that callers that failed together do not retry together. */
export function backOff(attempt: number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_BACK_OFF_MS)
  return wait * (0.5 + Math.random() / 2)
}

/** Parses `Retry-After`, given in seconds or as a date, into milliseconds from now. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/**
 * Waits, or throws the signal's reason when it aborts. With `isForNetwork`, it also ends when the browser comes back
 * online.
 */
export function pause(ms: number, signal?: AbortSignal, isForNetwork = false): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const waiting = new AbortController()
    const end = () => {
      clearTimeout(timer)
      waiting.abort()
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { signal: waiting.signal })
    if (isForNetwork) globalThis.addEventListener?.('online', end, { signal: waiting.signal })
  })
}
