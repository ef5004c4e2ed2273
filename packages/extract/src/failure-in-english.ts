import type { FailureRecord } from '@docent/contract/failures/failure-codes.ts'
import { failures as words } from '@docent/words/failures/en.ts'
import { sayFailure } from '@docent/words/say-failure.ts'

/** What the server says of a failure itself: in logs, on the command line, and to programs that read no codes. */
export function inEnglish(failure: FailureRecord): string {
  return sayFailure(failure, { words, language: 'en' }) ?? failure.code
}

/** The fields that tell of a failure: a sentence, and what it is made of. */
export interface FailureFields {
  error: string
  error_code: string
  error_params: Record<string, unknown>
}

export function failureFields(failure: FailureRecord): FailureFields {
  const { code, params = {} } = failure
  return { error: inEnglish(failure), error_code: code, error_params: params }
}
