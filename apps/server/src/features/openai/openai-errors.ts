import type { ErrorCode } from '@docent/contract/failures/error-codes.ts'
import type { AppError, WrongField } from '../../errors.ts'

// From https://platform.openai.com/docs/guides/error-codes and from the service's own responses. Codes that OpenAI does
// not have are ours.
const CODES: Partial<Record<ErrorCode, string | null>> = {
  unauthorized: 'invalid_api_key',
  forbidden: 'missing_scope',
  // An unknown address. An unknown model has its own code.
  not_found: null,
  bad_request: null,
  invalid: 'invalid_value',
  rate_limited: 'rate_limit_exceeded',
  prompt_too_long: 'context_length_exceeded',
}
/** Types of wrong fields that have a code in OpenAI's API. */
const FIELD_CODES: Record<string, string> = {
  model_not_found: 'model_not_found',
  unsupported_value: 'unsupported_value',
  invalid_type: 'invalid_type',
  required: 'invalid_type',
  invalid_value: 'invalid_value',
}

export interface OpenAiFailure {
  error: { message: string; type: string; param: string | null; code: string | null }
}

type Failure = Pick<AppError, 'message' | 'code' | 'status'> &
  Partial<Pick<AppError, 'details' | 'limit'>>

export function toOpenAiError({ message, code, status, details, limit }: Failure): OpenAiFailure {
  const field = fieldOf(details)
  const known = CODES[code] === undefined ? code : CODES[code]
  if (limit === 'token_budget')
    return failure(message, 'insufficient_quota', null, 'insufficient_quota')
  if (status === 429) return failure(message, 'requests', null, known)
  if (status >= 500) return failure(message, 'server_error', null, known)
  return failure(message, 'invalid_request_error', field.param, field.code ?? known)
}

function failure(message: string, type: string, param: string | null, code: string | null) {
  return { error: { message, type, param, code } }
}

/** Takes the first wrong field: OpenAI's errors name only one. */
function fieldOf(details: unknown): { param: string | null; code: string | undefined } {
  const [first] = Array.isArray(details) ? (details as WrongField[]) : []
  if (!Array.isArray(first?.loc)) return { param: null, code: undefined }
  const steps = first.loc
    .slice(1)
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  const param = steps.join('').replace(/^\./, '') || null
  return { param, code: FIELD_CODES[first.type] }
}
