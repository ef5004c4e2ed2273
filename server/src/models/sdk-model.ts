import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { LanguageModel, ModelEvent, ModelRequest, TokenUsage } from './catalogue.ts'
import { estimateTokens } from './count-tokens.ts'
import type { ModelLimits } from './model-limits.ts'
import { ProviderError, toProviderError } from './provider-error.ts'
import type { ModelTimeouts } from './provider-settings.ts'
import { retryBeforeText } from './retry-before-text.ts'

export interface SdkModelOptions {
  name: string
  provider: string
  limits: ModelLimits
  maxTemperature: number
  timeouts: ModelTimeouts
}

// However a model counts its tokens, none has more characters than this on average.
const CHARACTERS_PER_TOKEN = 8

/** A model of the AI SDK as ours: with time-outs, tries before the first text, and an end to what never ends. */
export function sdkModel(sdk: LanguageModelV4, options: SdkModelOptions): LanguageModel {
  return {
    name: options.name,
    provider: options.provider,
    limits: options.limits,
    stream: (request, signal) =>
      retryBeforeText(() => streamOnce(sdk, options, request, signal), signal),
  }
}

/**
 * Reads the SDK's whole stream by its provider interface: the SDK's own text stream ends quietly when a provider
 * fails, and its layers above cost more than everything that happens here.
 */
async function* streamOnce(
  sdk: LanguageModelV4,
  { name, provider, limits, maxTemperature, timeouts }: SdkModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const who = { provider, model: name }
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close, { once: true })
  let late = false
  const giveUp = () => {
    late = true
    connection.abort()
  }
  let timer = setTimeout(giveUp, timeouts.firstTextMs)
  let begun = false
  let text = ''
  try {
    const { stream } = await sdk.doStream({
      prompt: toPrompt(request),
      temperature: Math.min(request.temperature, maxTemperature),
      maxOutputTokens: limits.maxOutputTokens,
      abortSignal: connection.signal,
    })
    for await (const part of stream) {
      if (begun) timer.refresh()
      switch (part.type) {
        case 'text-delta':
        case 'reasoning-delta':
          if (!begun) {
            begun = true
            clearTimeout(timer)
            timer = setTimeout(giveUp, timeouts.stallMs)
          }
          if (part.type === 'reasoning-delta' || part.delta === '') break
          text += part.delta
          yield { type: 'text-delta', text: part.delta }
          if (text.length > limits.maxOutputTokens * CHARACTERS_PER_TOKEN) {
            yield { type: 'finish', reason: 'length', tokens: estimateUsage(request, text) }
            return
          }
          break
        case 'finish': {
          const reason = finishReason(part.finishReason.unified)
          if (!reason)
            throw new ProviderError(
              part.finishReason.unified === 'interrupted' ? 'cut' : 'failed',
              who,
            )
          if (text === '' && reason === 'stop') throw new ProviderError('empty', who)
          yield { type: 'finish', reason, tokens: readUsage(part.usage, request, text) }
          return
        }
        case 'error':
          throw part.error
      }
    }
    throw new ProviderError('cut', who)
  } catch (error) {
    if (late) throw new ProviderError('too_slow', who)
    throw toProviderError(error, { provider, name })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
    connection.abort()
  }
}

function toPrompt({ system, history = [], prompt }: ModelRequest): LanguageModelV4Prompt {
  const say = (text: string) => [{ type: 'text' as const, text }]
  return [
    { role: 'system', content: system },
    ...history.flatMap(({ question, answer }) => [
      { role: 'user' as const, content: say(question) },
      { role: 'assistant' as const, content: say(answer) },
    ]),
    { role: 'user', content: say(prompt) },
  ]
}

function finishReason(unified: string): 'stop' | 'length' | 'content_filter' | undefined {
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'error':
    case 'interrupted':
      return undefined
    default:
      return 'stop'
  }
}

/** What the provider counted; some servers count nothing. */
function readUsage(
  { inputTokens, outputTokens }: LanguageModelV4Usage,
  request: ModelRequest,
  text: string,
): TokenUsage {
  if (inputTokens.total === undefined || outputTokens.total === undefined) {
    return estimateUsage(request, text)
  }
  return usageOf(inputTokens.total, outputTokens.total)
}

export function estimateUsage(request: ModelRequest, text: string): TokenUsage {
  return usageOf(estimateRequest(request), estimateTokens(text))
}

function estimateRequest({ system, history = [], prompt }: ModelRequest): number {
  const turns = history.flatMap(({ question, answer }) => [question, answer])
  return [system, ...turns, prompt].reduce((sum, text) => sum + estimateTokens(text), 0)
}

function usageOf(prompt: number, completion: number): TokenUsage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
}
