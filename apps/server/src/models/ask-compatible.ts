import { StringDecoder } from 'node:string_decoder'
import { type Dispatcher, Pool } from 'undici'
import { readRetryAfter } from '../runtime/retry-after.ts'
import type { ModelRequest } from './model-catalog.ts'
import { ProviderError, systemFaultOf } from './provider-error.ts'
import { ReasoningStripper } from './strip-reasoning.ts'
import type { AskProvider, Part, Usage } from './watched-model.ts'

const MOST_ERROR_BYTES = 10_000
const LONGEST_LINE = 1_000_000
// Saves the next question a new connection.
const KEPT_OPEN_MS = 60_000
// Some servers report the end and leave the connection open.
const LAST_BYTES_MS = 1_000

/**
 * Asks any server with OpenAI's chat interface directly. The AI SDK's package for it costs more per word than all other
 * processing of the word here (decision 21).
 */
export function connectCompatible(provider: {
  name: string
  baseUrl: string
  apiKey: string
}): (model: string) => AskProvider {
  const url = new URL(`${provider.baseUrl}/chat/completions`)
  const path = url.pathname + url.search
  const authorization = authorizationFor(url, provider.apiKey)
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(authorization !== undefined && { authorization }),
  }
  // Node's own client costs twice as much for each answer (decision 21). The caller decides about timeouts.
  const pool = new Pool(url.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 0,
    keepAliveTimeout: KEPT_OPEN_MS,
  })

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
      const response = await pool
        .request({ path, method: 'POST', headers, body, signal })
        .catch(() => {
          throw new ProviderError('unreachable', who)
        })
      if (response.statusCode !== 200) throw await refusal(response, who)
      // HTML means that the address belongs to a page, not to an API.
      if (String(response.headers['content-type']).startsWith('text/html')) {
        await response.body.dump()
        throw new ProviderError('unreadable', who)
      }
      const answer = new AnswerReader()
      let closing: NodeJS.Timeout | undefined
      try {
        for await (const bytes of response.body) {
          const part = answer.read(bytes)
          if (part) yield part
          if (answer.failure) throw answer.failure
          if (answer.isDone) closing ??= setTimeout(() => response.body.destroy(), LAST_BYTES_MS)
        }
      } catch (error) {
        if (!answer.isDone) throw explain(error, who)
      } finally {
        clearTimeout(closing)
      }
      const end = answer.end()
      if (end) yield end
    }
  }
}

function explain(error: unknown, who: { provider: string; model: string }): ProviderError {
  if (error instanceof SyntaxError) return new ProviderError('unreadable', who)
  if (!(error instanceof StreamError)) return new ProviderError('cut', who)
  return new ProviderError(error.isBusy ? 'busy' : 'failed', who)
}

/** Uses the key, or else the credentials in the address. */
function authorizationFor({ username, password }: URL, apiKey: string): string | undefined {
  if (apiKey !== '') return `Bearer ${apiKey}`
  if (username === '') return undefined
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
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
  response: Dispatcher.ResponseData,
  who: { provider: string; model: string },
): Promise<ProviderError> {
  let body = ''
  try {
    for await (const piece of response.body) {
      body += piece
      if (body.length > MOST_ERROR_BYTES) break
    }
  } catch {
    // The status is enough.
  }
  const { statusCode: status, headers } = response
  return new ProviderError(
    systemFaultOf(status, body),
    who,
    status,
    readRetryAfter(headers['retry-after'] as string | undefined),
  )
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

/** Parses a stream of server-sent events. Text that arrives together is passed on together. */
class AnswerReader {
  readonly #decoder = new StringDecoder('utf8')
  readonly #thoughts = new ReasoningStripper()
  #rest = ''
  #reason: string | undefined
  #usage: Usage | undefined
  /** Why reading must stop. Text before the failure was already returned. */
  failure: Error | undefined
  /** No event follows. */
  isDone = false

  /** Returns undefined until an event is complete. Skips lines that are not events. */
  read(bytes: Buffer): Part | undefined {
    const arrived = this.#rest + this.#decoder.write(bytes)
    let text = ''
    let events = 0
    let start = 0
    try {
      for (let end = arrived.indexOf('\n'); end >= 0; end = arrived.indexOf('\n', start)) {
        const line = arrived.slice(start, end)
        start = end + 1
        if (!line.startsWith('data:')) continue
        events += 1
        text += this.#readEvent(line.slice(5).trim())
      }
    } catch (error) {
      this.failure = error as Error
    }
    this.#rest = arrived.slice(start)
    if (this.#rest.length > LONGEST_LINE) this.failure ??= new SyntaxError('No event is that long')
    const said = text === '' ? '' : this.#thoughts.leaveOut(text)
    if (said !== '') return { type: 'text', text: said }
    return events > 0 && !this.failure ? { type: 'thinking' } : undefined
  }

  #readEvent(data: string): string {
    this.isDone ||= data === '[DONE]'
    const event = data === '[DONE]' ? DONE : JSON.parse(data)
    if (event.error) throw new StreamError(event.error)
    const choice = event.choices?.[0]
    this.#usage = toUsage(event.usage) ?? this.#usage
    this.#reason = choice?.finish_reason ?? this.#reason ?? (event === DONE ? 'stop' : undefined)
    return textOf(choice?.delta?.content ?? '')
  }

  /** Returns undefined without a finish reason, because the answer may be incomplete. */
  end(): Part | undefined {
    if (this.#reason === undefined) return undefined
    const isKnown = this.#reason === 'length' || this.#reason === 'content_filter'
    const reason = isKnown ? (this.#reason as 'length') : 'stop'
    return { type: 'finish', reason, usage: this.#usage }
  }
}

/** Some servers send text as a list of typed parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw new SyntaxError('This is no text')
  return content.map((part) => (part?.type === 'text' ? textOf(part.text) : '')).join('')
}

function toUsage(given: Record<string, unknown> | null | undefined): Usage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion } = given ?? {}
  return typeof prompt === 'number' && typeof completion === 'number'
    ? { prompt, completion }
    : undefined
}
