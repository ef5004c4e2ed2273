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

/** Why a source could not be taken in. Its message, for logs, is the English sentence. */
export class IngestionError extends Error {
  readonly status: SourceStatus
  readonly failure: Failure
  /** Whether trying again later may help. */
  readonly mayPass: boolean
  /** It used up the time it had, so that trying again at once would only use it up again. */
  readonly tookLong: boolean
  /** How long the site asks to be left alone, if it says. */
  readonly retryAfterMs: number | undefined
  /** The site means us, whatever the page. */
  readonly isAskedTooOften: boolean
  /** Its pages are pictures, which can perhaps be recognised. */
  readonly isScan: boolean
  /** The process that read it was ended from outside. That may have been for its memory, or for no reason of its own. */
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
