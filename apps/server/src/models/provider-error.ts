import { APICallError, JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { AppError } from '../errors.ts'
import { readRetryAfter } from '../runtime/retry-after.ts'

type Trouble =
  | 'key'
  | 'no_model'
  | 'rejected'
  | 'busy'
  | 'failed'
  | 'unreachable'
  | 'too_slow'
  | 'unreadable'
  | 'cut'
  | 'empty'

/** The sentence of each reason for a failure. */
export const PROVIDER_TROUBLES: Record<Trouble, (provider: string, model: string) => string> = {
  key: (provider) => `${provider} rejected the server’s API key.`,
  no_model: (provider, model) => `${provider} does not have the model ${model}.`,
  rejected: (provider, model) => `${provider} rejected the request to ${model}.`,
  busy: (provider) => `${provider} is overloaded, or the quota is used up.`,
  failed: (provider) => `${provider} failed.`,
  unreachable: (provider) => `${provider} could not be reached.`,
  too_slow: (provider, model) => `${model} of ${provider} took too long.`,
  unreadable: (provider) => `${provider} sent an unreadable response.`,
  cut: (provider) => `${provider} ended the answer early.`,
  empty: (_, model) => `${model} gave no answer.`,
}

// Failures that a retry may fix. A rejected key or an unknown model needs a new configuration.
const PASSING = new Set<Trouble>(['busy', 'failed', 'unreachable', 'unreadable', 'cut', 'empty'])

/**
 * A provider's failure in our words. The SDK's own errors carry the request, the response and the address. These must
 * not reach a client or the log, so they are read and dropped.
 */
export class ProviderError extends AppError {
  readonly trouble: Trouble
  readonly providerStatus: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    trouble: Trouble,
    { provider, model }: { provider: string; model: string },
    providerStatus?: number,
    retryAfterMs?: number,
  ) {
    const seconds = retryAfterMs && String(Math.max(1, Math.ceil(retryAfterMs / 1000)))
    super(
      'model_failed',
      `The language model failed: ${PROVIDER_TROUBLES[trouble](provider, model)}`,
      {
        params: { reason: trouble, provider, model },
        ...(seconds && { headers: { 'retry-after': seconds } }),
      },
    )
    this.name = 'ProviderError'
    this.trouble = trouble
    this.providerStatus = providerStatus
    this.retryAfterMs = retryAfterMs
  }

  get mayPass(): boolean {
    return PASSING.has(this.trouble)
  }
}

export function toProviderError(
  error: unknown,
  model: { provider: string; name: string },
): ProviderError {
  if (error instanceof ProviderError) return error
  const who = { provider: model.provider, model: model.name }
  if (APICallError.isInstance(error)) {
    const { statusCode, responseHeaders, responseBody = '' } = error
    const trouble = systemFaultOf(statusCode, responseBody)
    return new ProviderError(
      trouble,
      who,
      statusCode,
      readRetryAfter(responseHeaders?.['retry-after']),
    )
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return new ProviderError('unreadable', who)
  }
  // An error within the provider's stream arrives as the provider's own JSON.
  const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown }
  if (/overloaded|rate_limit/.test(`${type} ${code}`)) return new ProviderError('busy', who)
  if (error instanceof TypeError) return new ProviderError('cut', who)
  return new ProviderError('failed', who)
}

export function systemFaultOf(status: number | undefined, body: string): Trouble {
  if (status === undefined) return 'unreachable'
  // Google responds to a wrong key with 400.
  if (status === 401 || status === 403 || /API_KEY_INVALID/.test(body)) return 'key'
  if (status === 404) return 'no_model'
  if (status === 408 || status === 409 || status === 429 || status === 529) return 'busy'
  if (status >= 500) return 'failed'
  // A proxy's welcome page, or a response that is not a stream.
  return status < 400 ? 'unreadable' : 'rejected'
}
