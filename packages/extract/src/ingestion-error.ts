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
  readonly status: SourceStatus
  readonly failure: Failure
  /** A later attempt may succeed. */
  readonly mayPass: boolean
  /** It used up its time limit. An immediate retry would do the same. */
  readonly tookLong: boolean
  /** The delay that the site asks for, if any. */
  readonly retryAfterMs: number | undefined
  /** The site limits all requests of this server, not only those for this page. */
  readonly isAskedTooOften: boolean
  /** The pages are images. Text recognition may help. */
  readonly isScan: boolean
  /** The reading process was killed from outside, possibly for its memory usage. */
  readonly wasKilled: boolean

  constructor(
    status: SourceStatus,
    failure: Failure,
    {
      mayPass = false,
      tookLong = false,
      retryAfterMs,
      isAskedTooOften = false,
      isScan = false,
      wasKilled = false,
    }: Prospects = {},
  ) {
    super(inEnglish(failure))
    this.name = 'IngestionError'
    this.status = status
    this.failure = failure
    this.mayPass = mayPass
    this.tookLong = tookLong
    this.retryAfterMs = retryAfterMs
    this.isAskedTooOften = isAskedTooOften
    this.isScan = isScan
    this.wasKilled = wasKilled
  }
}
