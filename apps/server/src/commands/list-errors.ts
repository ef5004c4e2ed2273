import { STATUS } from '@docent/contract/failures/error-codes.ts'
import {
  ERROR_MEANINGS,
  FIELD_PROBLEM_MEANINGS,
  LIMIT_MEANINGS,
} from '@docent/contract/failures/error-meanings.ts'
import { FAILURES } from '@docent/contract/failures/failure-codes.ts'
import { failures } from '@docent/words/source-errors/en.ts'
import { PROVIDER_TROUBLES } from '../models/provider-error.ts'

/** Rows of the tables in the reference of errors. The first cell of each row is a code. */
export function listErrors(): Record<'errors' | 'fields' | 'limits' | 'models' | 'sources', Row[]> {
  return {
    errors: Object.entries(ERROR_MEANINGS).map(([code, { meaning, advice }]) => [
      code,
      String(STATUS[code as keyof typeof STATUS]),
      meaning,
      advice,
    ]),
    fields: Object.entries(FIELD_PROBLEM_MEANINGS),
    limits: Object.entries(LIMIT_MEANINGS),
    models: Object.entries(PROVIDER_TROUBLES).map(([reason, say]) => [
      reason,
      say('PROVIDER', 'MODEL'),
    ]),
    sources: Object.keys(FAILURES).map((code) => [code, failures[code as keyof typeof FAILURES]]),
  }
}

type Row = string[]
