import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { StringDecoder } from 'node:string_decoder'
import type { ModelRequest } from './catalogue.ts'
import { ProviderError, retryAfter, troubleOf } from './provider-error.ts'
import type { AskProvider, Part, Usage } from './watched-model.ts'

const MOST_ERROR_BYTES = 10_000

/**
 * Asks any server that speaks OpenAI's chat interface, directly: what the AI SDK's package for it costs for each word
 * is more than everything else that happens to the word here (decision 21).
 */
export function connectCompatible(provider: {
  name: string
  baseUrl: string
  apiKey: string
}): (model: string) => AskProvider {
  const url = new URL(`${provider.baseUrl}/chat/completions`)
  const isSecure = url.protocol === 'https:'
  const send = isSecure ? requestHttps : requestHttp
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true })
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(provider.apiKey !== '' && { authorization: `Bearer ${provider.apiKey}` }),
  }

  return (model) => {
    const who = { provider: provider.name, model }
    return async function* ({ request, maxOutputTokens, temperature, signal }) {
      const body = JSON.stringify({
        model,
        messages: toMessages(request),
        temperature,
        max_tokens: maxOutputTokens,
        stream: true,
        stream_options: { include_usage: true },
      })
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = send(url, { method: 'POST', agent, headers, signal })
        outgoing.on('response', resolve)
        outgoing.on('error', () => reject(new ProviderError('unreachable', who)))
        outgoing.end(body)
      })
      if (response.statusCode !== 200) throw await refusal(response, who)
      try {
        yield* readParts(response)
      } catch (error) {
        if (error instanceof SyntaxError) throw new ProviderError('unreadable', who)
        throw error instanceof StreamError
          ? new ProviderError(error.isBusy ? 'busy' : 'failed', who)
          : new ProviderError('cut', who)
      }
    }
  }
}

function toMessages({ system, history = [], prompt }: ModelRequest): object[] {
  return [
    { role: 'system', content: system },
    ...history.flatMap(({ question, answer }) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ]),
    { role: 'user', content: prompt },
  ]
}

async function refusal(
  response: IncomingMessage,
  who: { provider: string; model: string },
): Promise<ProviderError> {
  let body = ''
  try {
    for await (const piece of response) {
      body += piece
      if (body.length > MOST_ERROR_BYTES) break
    }
  } catch {
    // The status says enough.
  }
  const { statusCode: status, headers } = response
  return new ProviderError(troubleOf(status, body), who, status, retryAfter(headers['retry-after']))
}

/** An error that the server reports within its stream. */
class StreamError extends Error {
  readonly isBusy: boolean

  constructor(error: unknown) {
    super('The provider reported an error')
    this.isBusy = /overloaded|rate_limit|429|503/.test(JSON.stringify(error))
  }
}

const DONE: Record<string, never> = {}

/** Words that arrive together go on together. Without an end, nothing says that the answer is whole. */
async function* readParts(response: IncomingMessage): AsyncGenerator<Part> {
  let reason: string | undefined
  let usage: Usage | undefined
  for await (const events of readEvents(response)) {
    let text = ''
    let failure: Error | undefined
    for (const data of events) {
      try {
        const event = data === '[DONE]' ? DONE : JSON.parse(data)
        if (event.error) throw new StreamError(event.error)
        const [choice] = event.choices ?? []
        usage = toUsage(event.usage) ?? usage
        reason = choice?.finish_reason ?? reason ?? (event === DONE ? 'stop' : undefined)
        text += choice?.delta?.content ?? ''
      } catch (error) {
        failure = error as Error
        break
      }
    }
    // What came before it was said.
    if (text !== '' || !failure) yield text === '' ? { type: 'thinking' } : { type: 'text', text }
    if (failure) throw failure
  }
  if (reason === undefined) return
  const isKnown = reason === 'length' || reason === 'content_filter'
  yield { type: 'finish', reason: isKnown ? (reason as 'length') : 'stop', usage }
}

function toUsage(given: Record<string, unknown> | null | undefined): Usage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion } = given ?? {}
  return typeof prompt === 'number' && typeof completion === 'number'
    ? { prompt, completion }
    : undefined
}

/** The data of server-sent events, those that arrive together at once. Anything else in the stream is no event. */
async function* readEvents(response: IncomingMessage): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const bytes of response) {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop()!
    const events = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).trim())
    if (events.length > 0) yield events
  }
}
