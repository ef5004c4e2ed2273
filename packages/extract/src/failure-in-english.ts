import type { FailureRecord } from '@docent/contract/failures/failure-codes.ts'
import { sayFailure } from '@docent/words/say-failure.ts'
import { failures as words } from '@docent/words/source-errors/en.ts'

/** The English sentence of a failure, for logs, the command line and clients that ignore codes. */
export function inEnglish(failure: FailureRecord): string {
  return sayFailure(failure, { words, language: 'en' }) ?? failure.code
}

/** The fields of a failure: the sentence, its code and its parameters. */
export interface FailureFields {
  error: string
  error_code: string
  error_params: Record<string, unknown>
}

export function failureFields(failure: FailureRecord): FailureFields {
  const { code, params = {} } = failure
  return { error: inEnglish(failure), error_code: code, error_params: params }
}
