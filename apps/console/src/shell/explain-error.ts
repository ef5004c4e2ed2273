import { ApiError } from '@docent/client/http/errors.ts'
import { isAway } from '@docent/client/http/send-request.ts'
import {
  ERROR_PARAMS,
  type ErrorCode,
  FIELD_PROBLEMS,
  isErrorCode,
} from '@docent/contract/failures/error-codes.ts'
import { fillParams } from '@docent/words/fill-params.ts'
import { fill, type Language, type Words } from '@docent/words/words.ts'
import { labelOf } from '../forms/field-labels.ts'

interface Speech {
  words: Words
  language: Language
}

type Reason = keyof Words['reasons']

/** Error codes with a translation. For other codes the server's message is more precise. */
const REASONS: Partial<Record<ErrorCode, Reason>> = {
  unauthorized: 'unauthorized',
  wrong_password: 'wrongPassword',
  not_found: 'notFound',
  timeout: 'tooSlow',
  quota_reached: 'quotaReached',
  too_large: 'tooLarge',
  file_too_large: 'fileTooLarge',
  prompt_too_long: 'tooLongForModel',
  unsupported_type: 'unsupportedType',
  old_office: 'oldOffice',
  rate_limited: 'rateLimited',
  too_many_lists: 'rateLimited',
  token_budget_spent: 'tokensSpent',
  token_budget_reserved: 'unavailable',
  internal: 'internal',
  unavailable: 'unavailable',
  disk_full: 'diskFull',
  took_too_long: 'tookTooLong',
}
// Errors from a proxy have no code, so the status is used.
const OF_PROXIES: Record<number, Reason> = {
  408: 'tooSlow',
  413: 'tooLarge',
  429: 'rateLimited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}
const PROBLEMS: Record<keyof typeof FIELD_PROBLEMS, Reason> = {
  required: 'required',
  empty: 'required',
  too_short: 'tooShort',
  too_long: 'tooLong',
  too_many: 'tooMany',
  not_address: 'notAddress',
  not_password: 'notPassword',
  not_text: 'notText',
}

interface Refusal {
  code: string
  params: Record<string, unknown>
  /** The server's English message. */
  sentence: string
}

interface StoredFailure {
  error: string
  finishReason: string
  errorCode?: string | undefined
  errorParams?: Record<string, unknown> | undefined
}

/** Explains an error, in the user's language if a translation exists. */
export function reasonOf(error: unknown, speech: Speech): string {
  if (!(error instanceof ApiError)) return speech.words.common.offline
  const { code, params, status, message, details } = error
  if (code === '') return sayStatus(status, speech) ?? message
  return problemsIn(details, speech) ?? say({ code, params, sentence: message }, speech)
}

/** Explains a failed chat. Empty when the server was not reached: the chat has its own text for that. */
export function reasonInChat(error: unknown, speech: Speech): string {
  if (!(error instanceof ApiError) || isAway(error)) return ''
  return isInterrupted(error) ? speech.words.chat.interrupted : reasonOf(error, speech)
}

/** Explains a stored failure. Earlier versions stored only the server's message. */
export function reasonOfStored(
  { error: sentence, finishReason, errorCode: code = '', errorParams: params = {} }: StoredFailure,
  speech: Speech,
): string {
  if (finishReason === 'interrupted') return speech.words.chat.interrupted
  return say({ code, params, sentence }, speech)
}

function isInterrupted({ params }: Pick<Refusal, 'params'>): boolean {
  return params.reason === 'interrupted'
}

function say({ code, params, sentence }: Refusal, { words, language }: Speech): string {
  const reason = isErrorCode(code) ? reasonBy(code, params) : undefined
  if (reason === undefined) return sentence
  const kinds = code === 'file_too_large' ? ERROR_PARAMS[code] : {}
  return fillParams(words.reasons[reason], kinds, params, language) ?? sentence
}

function reasonBy(code: ErrorCode, params: Refusal['params']): Reason | undefined {
  // The owner's own text is shown unchanged.
  if (code === 'rate_limited' && params.wording === 'own') return undefined
  if (code === 'rate_limited' && params.wording === 'default') return 'tooManyMessages'
  // The owner needs the exact problem of the provider.
  if (code === 'model_failed') return params.reason === undefined ? 'modelFailed' : undefined
  return REASONS[code]
}

function sayStatus(status: number, { words }: Speech): string | undefined {
  const reason = OF_PROXIES[status]
  return reason && words.reasons[reason]
}

interface Problem {
  loc: string[]
  msg: string
  type?: string
  params?: Record<string, unknown>
}

const isProblem = (given: unknown): given is Problem =>
  typeof given === 'object' && given !== null && 'loc' in given && 'msg' in given

/** Lists the invalid fields with the labels of the form. */
function problemsIn(details: unknown, speech: Speech): string | undefined {
  if (!Array.isArray(details) || details.length === 0 || !details.every(isProblem)) return undefined
  const texts = details.map((one) => {
    const problem = sayProblem(one, speech) ?? one.msg
    const field = labelOf(one.loc.slice(1), speech.words)
    return field === '' ? problem : fill(speech.words.reasons.field, { field, problem })
  })
  return texts.join('\n')
}

function sayProblem({ type = '', params = {} }: Problem, { words, language }: Speech) {
  if (!isKnown(type)) return undefined
  return fillParams(words.reasons[PROBLEMS[type]], FIELD_PROBLEMS[type], params, language)
}

function isKnown(type: string): type is keyof typeof FIELD_PROBLEMS {
  return Object.hasOwn(FIELD_PROBLEMS, type)
}
