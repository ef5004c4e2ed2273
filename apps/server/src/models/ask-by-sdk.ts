import type {
  LanguageModelV4,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { ModelRequest } from './model-catalog.ts'
import type { AskProvider, Part, Usage } from './watched-model.ts'

/**
 * Asks through a package of the AI SDK. Reads the provider interface, because the SDK's text stream ends silently when
 * a provider fails. The SDK's higher layers are not needed.
 */
export function askBySdk(model: LanguageModelV4): AskProvider {
  return async function* ({ request, maxOutputTokens, temperature, signal }) {
    const { stream } = await model.doStream({
      prompt: toPrompt(request),
      temperature,
      maxOutputTokens,
      abortSignal: signal,
    })
    for await (const part of stream) {
      if (part.type === 'text-delta') yield { type: 'text', text: part.delta }
      else if (part.type === 'reasoning-delta') yield { type: 'thinking' }
      else if (part.type === 'error') throw part.error
      else if (part.type === 'finish') yield* finish(part.finishReason, part.usage)
    }
  }
}

/** Yields nothing for an interrupted answer, because a missing end marks it as incomplete. */
function* finish(
  { unified }: LanguageModelV4FinishReason,
  usage: LanguageModelV4Usage,
): Generator<Part> {
  if (unified === 'interrupted') return
  if (unified === 'error') throw new Error('The provider ended with an error')
  const reason =
    unified === 'length' ? 'length' : unified === 'content-filter' ? 'content_filter' : 'stop'
  yield { type: 'finish', reason, usage: toUsage(usage) }
}

function toUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): Usage | undefined {
  const { total: prompt } = inputTokens
  const { total: completion } = outputTokens
  return prompt === undefined || completion === undefined ? undefined : { prompt, completion }
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
