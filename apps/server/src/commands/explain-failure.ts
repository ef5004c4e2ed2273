import { ConnectionError, ForbiddenError, InvalidError, UnauthorizedError } from '@docent/client'
import { adviseOn, storageFaultOf } from '../database/storage-fault.ts'
import { AppError } from '../errors.ts'
import { NoToken, UsageError } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { Interrupted } from './terminal.ts'

/** Returns a message for the user and the exit code. */
export function explainFailure(error: unknown): { message: string; exit: number } {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Interrupted) return { message, exit: EXIT.interrupted }
  if (error instanceof UsageError || isInvalid(error)) return { message, exit: EXIT.usage }
  if (error instanceof NoToken) return { message, exit: EXIT.refused }
  if (error instanceof ConnectionError) {
    const advice = 'Check that the server is running and that DOCENT_URL is correct.'
    return { message: `${message} ${advice}`, exit: EXIT.unreachable }
  }
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError) {
    return { message: `${message} Run "docent login" to save another token.`, exit: EXIT.refused }
  }
  const fault = storageFaultOf(error)
  return { message: fault ? adviseOn(fault) : message, exit: EXIT.failed }
}

/** Whether this command or the server found the input invalid. */
function isInvalid(error: unknown): boolean {
  if (error instanceof InvalidError) return true
  if (error instanceof AppError) return error.code === 'invalid'
  return String((error as NodeJS.ErrnoException)?.code).startsWith('ERR_PARSE_ARGS')
}
