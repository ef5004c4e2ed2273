import type { SourceStatus } from '../database/tables.ts'

/** Why a source could not be taken in, in a sentence that a person can act on. */
export class IngestionError extends Error {
  readonly status: SourceStatus
  /** Whether trying again later may help. */
  readonly mayPass: boolean

  /** Its pages are pictures, which can perhaps be recognised. */
  readonly isScan: boolean

  constructor(status: SourceStatus, message: string, { mayPass = false, isScan = false } = {}) {
    super(message)
    this.name = 'IngestionError'
    this.status = status
    this.mayPass = mayPass
    this.isScan = isScan
  }
}
