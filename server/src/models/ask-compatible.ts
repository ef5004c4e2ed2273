import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { StringDecoder } from 'node:string_decoder'
import { urlToHttpOptions } from 'node:url'
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
  const address = urlToHttpOptions(url)
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
        const outgoing = send({ ...address, method: 'POST', agent, headers })
        outgoing.on('response', resolve)
        outgoing.on('error', () => reject(new ProviderError('unreachable', who)))
        signal.addEventListener('abort', () => outgoing.destroy(), { once: true })
        outgoing.end(body)
      })
      if (response.statusCode !== 200) throw await refusal(response, who)
      const answer = new AnswerReader()
      try {
        for await (const bytes of response) {
          const part = answer.read(bytes)
          if (part) yield part
          if (answer.failure) throw answer.failure
        }
      } catch (error) {
        if (error instanceof SyntaxError) throw new ProviderError('unreadable', who)
        throw error instanceof StreamError
          ? new ProviderError(error.isBusy ? 'busy' : 'failed', who)
          : new ProviderError('cut', who)
      }
      const end = answer.end()
      if (end) yield end
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

/** What a stream of server-sent events says. Words that arrive together go on together. */
class AnswerReader {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #reason: string | undefined
  #usage: Usage | undefined
  /** Why there is no use in reading on. What came before it was said. */
  failure: Error | undefined

  /** Undefined while no event is whole. Anything else in the stream is no event. */
  read(bytes: Buffer): Part | undefined {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n')
    this.#rest = lines.pop()!
    const events = lines.filter((line) => line.startsWith('data:'))
    let text = ''
    try {
      for (const line of events) text += this.#readEvent(line.slice(5).trim())
    } catch (error) {
      this.failure = error as Error
    }
    if (text !== '') return { type: 'text', text }
    return events.length > 0 && !this.failure ? { type: 'thinking' } : undefined
  }

  #readEvent(data: string): string {
    const event = data === '[DONE]' ? DONE : JSON.parse(data)
    if (event.error) throw new StreamError(event.error)
    const [choice] = event.choices ?? []
    this.#usage = toUsage(event.usage) ?? this.#usage
    this.#reason = choice?.finish_reason ?? this.#reason ?? (event === DONE ? 'stop' : undefined)
    return choice?.delta?.content ?? ''
  }

  /** Without an end, nothing says that the answer is whole. */
  end(): Part | undefined {
    if (this.#reason === undefined) return undefined
    const isKnown = this.#reason === 'length' || this.#reason === 'content_filter'
    const reason = isKnown ? (this.#reason as 'length') : 'stop'
    return { type: 'finish', reason, usage: this.#usage }
  }
}

function toUsage(given: Record<string, unknown> | null | undefined): Usage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion } = given ?? {}
  return typeof prompt === 'number' && typeof completion === 'number'
    ? { prompt, completion }
    : undefined
}
