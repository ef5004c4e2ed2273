import type { Failure } from '@docent/contract/failures/failure-codes.ts'
import type { SourceStatus } from '@docent/contract/sources.ts'
import { inEnglish } from './failure-in-english.ts'

interface Prospects {
  mayPass?: boolean
  tookLong?: boolean
  retryAfterMs?: number | undefined
  isAskedTooOften?: boolean
  isScan?: boolean
  wasKilled?: boolean
}

/** Why a source failed. The message, for logs, is the English sentence. */
export class IngestionError extends Error {
  override readonly name = 'IngestionError'
  readonly status: SourceStatus
  readonly failure: Failure
  /** A later attempt may succeed. */
  readonly mayPass: boolean = false
  /** It used up its time limit. An immediate retry would do the same. */
  readonly tookLong: boolean = false
  /** The delay that the site asks for, if any. */
  readonly retryAfterMs: number | undefined
  /** The site limits all requests of this server, not only those for this page. */
  readonly isAskedTooOften: boolean = false
  /** The pages are images. Text recognition may help. */
  readonly isScan: boolean = false
  /** The reading process was killed from outside, possibly for its memory usage. */
  readonly wasKilled: boolean = false

  constructor(status: SourceStatus, failure: Failure, prospects: Prospects = {}) {
    super(inEnglish(failure))
    this.status = status
    this.failure = failure
    Object.assign(this, prospects)
  }
}

export function nestedTooDeep(most: number): IngestionError {
  return new IngestionError('fail', { code: 'nested_too_deep', params: { most } })
}
