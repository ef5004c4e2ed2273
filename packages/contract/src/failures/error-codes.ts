import type { Param, Params } from './params.ts'

/** The HTTP status of each error code. The first code of each status is the general one. */
export const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  wrong_password: 401,
  forbidden: 403,
  host_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  session_full: 409,
  quota_reached: 409,
  too_large: 413,
  file_too_large: 413,
  prompt_too_long: 413,
  unsupported_type: 415,
  old_office: 415,
  invalid: 422,
  rate_limited: 429,
  too_many_lists: 429,
  token_budget_spent: 429,
  token_budget_reserved: 429,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
  disk_full: 503,
  storage_failed: 503,
  took_too_long: 504,
} as const

export type ErrorCode = keyof typeof STATUS

/** The parameters of the codes that have any. They are optional, except those of `file_too_large`. */
export const ERROR_PARAMS = {
  file_too_large: { megabytes: 'amount' },
  /** The provider and its error. Empty if the model failed in another way. */
  model_failed: { reason: 'text', provider: 'text', model: 'text' },
  /** `own` if the chatbot's owner wrote the message, else `default`. Other limits have messages of their own. */
  rate_limited: { wording: 'text' },
  storage_failed: { fault: 'text' },
  /** `interrupted`: the server stopped while it was answering. */
  unavailable: { reason: 'text' },
} as const satisfies { [Code in ErrorCode]?: Record<string, Param> }

type ParamsByCode = {
  [Code in keyof typeof ERROR_PARAMS]: Params<(typeof ERROR_PARAMS)[Code]>
}

export type ErrorParams = ParamsByCode[keyof ParamsByCode]

/** Validation problems with a specific message: the `type` of an entry in the error's details. */
export const FIELD_PROBLEMS = {
  required: {},
  empty: {},
  too_short: { minimum: 'amount' },
  too_long: { maximum: 'amount' },
  too_many: { maximum: 'amount' },
  not_address: {},
  not_password: {},
  not_text: {},
} as const satisfies Record<string, Record<string, Param>>

type ProblemType = keyof typeof FIELD_PROBLEMS

export type FieldProblem = {
  [Type in ProblemType]: keyof (typeof FIELD_PROBLEMS)[Type] extends never
    ? { type: Type; params?: Record<string, never> }
    : { type: Type; params: Params<(typeof FIELD_PROBLEMS)[Type]> }
}[ProblemType]

/**
 * Each limit that can reject a request. `/metrics` counts rejections by these names, and the error body contains them.
 */
export type LimitName =
  | 'model_answers'
  | 'built_in_answers'
  | 'complete_lists'
  | 'analytics'
  | 'uploads'
  | 'stalled_body'
  | 'unfinished_bodies'
  | 'session_size'
  | 'visitor_reads'
  | 'owner_rows'
  | 'owner_bytes'
  | 'token_budget'

export function isErrorCode(given: unknown): given is ErrorCode {
  return typeof given === 'string' && Object.hasOwn(STATUS, given)
}
