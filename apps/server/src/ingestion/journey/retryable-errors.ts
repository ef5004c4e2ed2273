import { isUnavailable } from '../../database/postgres/postgres-errors.ts'
import { apologiseFor, storageFaultOf } from '../../database/storage-fault.ts'
import { EndpointUnavailable } from '../../models/embedding/endpoint-embedder.ts'
import { ReplacedCode } from '../../runtime/replaced-code.ts'

// For a disk or a system in trouble, of which somebody has been told.
const FAULT_DELAY_MS = 5_000
const ENDPOINT_DELAY_MS = 30_000

/** What is no fault of the source, and will be over when somebody has seen to it. */
export function troubleOf(error: unknown): { sentence: string; delayMs: number } | undefined {
  if (error instanceof EndpointUnavailable)
    return { sentence: `${error.message}.`, delayMs: ENDPOINT_DELAY_MS }
  if (error instanceof ReplacedCode)
    return { sentence: `${error.message}.`, delayMs: ENDPOINT_DELAY_MS }
  const fault = storageFaultOf(error)
  if (fault === undefined || fault === 'damaged') return undefined
  return { sentence: apologiseFor(fault), delayMs: FAULT_DELAY_MS }
}

/** Whether a source has to wait because of us, whatever it is about. */
export function isOwnTrouble(error: unknown): boolean {
  return isUnavailable(error) || troubleOf(error) !== undefined
}
