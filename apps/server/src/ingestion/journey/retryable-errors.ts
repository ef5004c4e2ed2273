import { isUnavailable } from '../../database/postgres/postgres-errors.ts'
import { apologiseFor, storageFaultOf } from '../../database/storage-fault.ts'
import { EndpointUnavailable } from '../../models/embedding/endpoint-embedder.ts'
import { ReplacedCode } from '../../runtime/replaced-code.ts'

// For a disk or system fault, which the server has already reported.
const FAULT_DELAY_MS = 5_000
const ENDPOINT_DELAY_MS = 30_000

/** Describes a fault of the system, not of the source. It ends when the operator fixes it. */
export function troubleOf(error: unknown): { sentence: string; delayMs: number } | undefined {
  if (error instanceof EndpointUnavailable)
    return { sentence: `${error.message}.`, delayMs: ENDPOINT_DELAY_MS }
  if (error instanceof ReplacedCode)
    return { sentence: `${error.message}.`, delayMs: ENDPOINT_DELAY_MS }
  const fault = storageFaultOf(error)
  if (fault === undefined || fault === 'damaged') return undefined
  return { sentence: apologiseFor(fault), delayMs: FAULT_DELAY_MS }
}

/** Whether a source has to wait because of a fault of the system. */
export function isOwnTrouble(error: unknown): boolean {
  return isUnavailable(error) || troubleOf(error) !== undefined
}
