import { SourceFailedError, TimeoutError } from './http/errors.ts'
import { type SourceProgress, sourceMeta } from './http/json-fields.ts'
import { pause } from './http/retry.ts'
import type { CallOptions } from './http/send-request.ts'
import type { Source } from './records.ts'
import type { SourceStatus } from './values.ts'

export interface WaitOptions extends CallOptions {
  /**
   * Milliseconds after which a `TimeoutError` is thrown. The server continues to process the source. Default: no limit.
   */
  giveUpAfter?: number | undefined
  /** Called after every change. */
  onProgress?: ((source: Source, progress: SourceProgress | undefined) => void) | undefined
}

const FIRST_LOOK_MS = 100
const LONGEST_MS = 2_000

export function isWorkedOn(status: SourceStatus): boolean {
  return ['await', 'extracting', 'chunking', 'embedding'].includes(status)
}

/** Polls with growing intervals. */
export async function waitUntilReady(
  get: (options: CallOptions) => Promise<Source>,
  { giveUpAfter, onProgress, ...options }: WaitOptions,
): Promise<Source> {
  const until = giveUpAfter === undefined ? Number.POSITIVE_INFINITY : Date.now() + giveUpAfter
  let seen = ''
  for (let wait = FIRST_LOOK_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const source = await get(options)
    const meta = sourceMeta(source)
    const now = JSON.stringify([source.status, source.meta_json])
    if (now !== seen) onProgress?.(source, meta.progress)
    seen = now
    if (source.status === 'success') return source
    if (!isWorkedOn(source.status)) {
      const reason = meta.error ?? `The source ended with status "${source.status}".`
      throw new SourceFailedError(
        `"${source.title}": ${reason}`,
        source.uuid,
        source.status,
        meta.error_code,
        meta.error_params,
      )
    }
    if (Date.now() + wait > until) {
      throw new TimeoutError(
        `"${source.title}" was not ready within ${giveUpAfter! / 1000} seconds.`,
      )
    }
    await pause(wait, options.signal)
  }
}
