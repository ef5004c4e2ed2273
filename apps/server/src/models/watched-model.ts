import { estimateTokens } from './count-tokens.ts'
import type { LanguageModel, ModelEvent, ModelRequest, TokenUsage } from './model-catalog.ts'
import type { ModelLimits } from './model-limits.ts'
import { ProviderError, toProviderError } from './provider-error.ts'
import type { ModelTimeouts } from './provider-settings.ts'
import { retryBeforeText } from './retry-before-text.ts'

/** An event from a provider while it answers. */
export type Part =
  | { type: 'text'; text: string }
  /** The model works, but sends no text for the reader. */
  | { type: 'thinking' }
  | { type: 'finish'; reason: 'stop' | 'length' | 'content_filter'; usage: Usage | undefined }

export interface Usage {
  prompt: number
  completion: number
}

export interface ModelCall {
  request: ModelRequest
  maxOutputTokens: number
  temperature: number
  /** Aborting closes the connection to the provider. */
  signal: AbortSignal
}

/** Asks a provider's model once. Throws on failure. */
export type AskProvider = (call: ModelCall) => AsyncGenerator<Part>

export interface WatchedModelOptions {
  name: string
  provider: string
  limits: ModelLimits
  maxTemperature: number
  timeouts: ModelTimeouts
}

// No tokenizer has more characters per token than this on average, and few have less.
const CHARACTERS_PER_TOKEN = 8
const CHARACTERS_AT_LEAST = 3
const MOST_TOKENS = 1_000_000_000
// A multiple of the timeout for the first text. A model that reasons longer is stuck.
const THINKING = 10

/** Wraps a provider's model with timeouts, retries before the first text, and a limit on endless answers. */
export function watchedModel(ask: AskProvider, options: WatchedModelOptions): LanguageModel {
  return {
    name: options.name,
    provider: options.provider,
    limits: options.limits,
    stream: (request, signal) =>
      retryBeforeText(() => askOnce(ask, options, request, signal), signal),
  }
}

async function* askOnce(
  ask: AskProvider,
  { name, provider, limits, maxTemperature, timeouts }: WatchedModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const who = { provider, model: name }
  const { maxOutputTokens } = limits
  const connection = new AbortController()
  const close = () => connection.abort()
  signal.addEventListener('abort', close, { once: true })
  let late = false
  const giveUp = () => {
    late = true
    connection.abort()
  }
  let timer = setTimeout(giveUp, timeouts.firstTextMs)
  let lastText = performance.now()
  let begun = false
  let ended = false
  let length = 0
  let isSaid = false
  let blank = ''
  try {
    const temperature = Math.min(request.temperature, maxTemperature)
    for await (const part of ask({
      request,
      maxOutputTokens,
      temperature,
      signal: connection.signal,
    })) {
      if (part.type === 'finish') {
        if (!isSaid && part.reason === 'stop') throw new ProviderError('empty', who)
        ended = true
        const tokens = toTokenUsage(part.usage ?? estimateUsage(request, length))
        yield { type: 'finish', reason: part.reason, tokens }
        return
      }
      if (begun) timer.refresh()
      else {
        begun = true
        clearTimeout(timer)
        timer = setTimeout(giveUp, timeouts.stallMs)
      }
      const text = part.type === 'text' ? part.text : ''
      length += text.length
      isSaid ||= text.trim() !== ''
      if (isSaid && text !== '') lastText = performance.now()
      else if (performance.now() - lastText > timeouts.firstTextMs * THINKING) giveUp()
      if (text === '') continue
      // Whitespace alone is not an answer. It waits until text follows.
      if (isSaid) yield { type: 'text-delta', text: blank + text }
      blank = isSaid ? '' : blank + text
      if (length > maxOutputTokens * CHARACTERS_PER_TOKEN) {
        const tokens = toTokenUsage(estimateUsage(request, length))
        yield { type: 'finish', reason: 'length', tokens }
        return
      }
    }
    throw new ProviderError('cut', who)
  } catch (error) {
    if (late) throw new ProviderError('too_slow', who)
    throw toProviderError(error, { provider, name })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', close)
    if (!ended) connection.abort()
  }
}

/** Some servers report no usage. */
function estimateUsage({ system, history = [], prompt }: ModelRequest, length: number): Usage {
  const turns = history.flatMap(({ question, answer }) => [question, answer])
  const asked = [system, ...turns, prompt].reduce((sum, one) => sum + estimateTokens(one), 0)
  return { prompt: asked, completion: Math.ceil(length / CHARACTERS_AT_LEAST) }
}

function toTokenUsage(usage: Usage): TokenUsage {
  const [prompt, completion] = [toCount(usage.prompt), toCount(usage.completion)]
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
}

/** Accepts any value that a server reports as a token count. */
function toCount(given: number): number {
  return Math.min(Math.max(0, Math.round(given) || 0), MOST_TOKENS)
}
