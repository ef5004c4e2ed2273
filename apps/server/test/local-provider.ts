import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSite } from './harness.ts'
import { anthropic, type Ending, google, openai, type Protocol } from './provider-protocols.ts'

/** The provider's reply to a request: its words, then its ending. */
export interface Reply {
  words?: string[]
  /** Sent again and again while the provider ponders. By default it only sends signs of life. */
  murmurs?: string[]
  /** Nothing is sent, not even the headers, before `release` is called. */
  held?: boolean
  ending?:
    | Ending
    | 'cut'
    | 'quiet end'
    | 'stall'
    | 'left open'
    | 'malformed'
    | 'endless'
    | 'pondering'
  tokens?: { prompt: number; completion: number }
  /** Refuses with this status. */
  status?: number
  headers?: Record<string, string>
  /** Sends chunks of this size, even if they split a character. */
  bytesAtOnce?: number
}

export interface ProviderCall {
  path: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: each protocol has its own
  body: any
  /** Resolves when either side closes the connection of this request. */
  closed: Promise<unknown>
}

export interface LocalProvider {
  address: string
  calls: ProviderCall[]
  /** The next replies. The default is "Hello world." */
  replies: Reply[]
  /** Requests with another key are refused. */
  key: string
  models: string[]
  release(): void
  /** Waits until the provider has received this many requests. */
  called(times: number): Promise<ProviderCall>
}

const TOKENS = { prompt: 11, completion: 5 }

/** A local provider that speaks the protocols of all providers and fails on demand. */
export async function startProvider(t: Parameters<typeof startSite>[0]): Promise<LocalProvider> {
  const bell = new EventTarget()
  const provider: LocalProvider = {
    address: '',
    calls: [],
    replies: [],
    key: 'test-key',
    models: ['gpt-test', 'claude-test', 'gemini-test', 'local-test'],
    release: () => bell.dispatchEvent(new Event('release')),
    async called(times) {
      while (provider.calls.length < times) await once(bell, 'call')
      return provider.calls[times - 1]!
    },
  }
  provider.address = await startSite(t, (request, response) => {
    void serve(provider, bell, request, response).catch(() => response.destroy())
  })
  return provider
}

async function serve(
  provider: LocalProvider,
  bell: EventTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url!
  const protocol = protocolOf(path, request)
  const sendJson = (status: number, body: object, headers = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
  if (request.headers[protocol.keyHeader]?.toString().replace('Bearer ', '') !== provider.key) {
    sendJson(protocol.wrongKey.status, protocol.wrongKey.body)
    return
  }
  if (request.method === 'GET') {
    sendJson(200, protocol.models(provider.models))
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = JSON.parse(Buffer.concat(chunks).toString())
  provider.calls.push({ path, headers: request.headers, body, closed: once(response, 'close') })
  const reply = provider.replies.shift() ?? {}
  bell.dispatchEvent(new Event('call'))
  if (reply.held) await once(bell, 'release')
  if (reply.status) sendJson(reply.status, protocol.failure(reply.status), reply.headers)
  else await stream(protocol, reply, body.model, response)
}

async function stream(
  protocol: Protocol,
  {
    words = ['Hello', ' world.'],
    murmurs = [''],
    ending = 'stop',
    tokens = TOKENS,
    bytesAtOnce,
  }: Reply,
  model: string,
  response: ServerResponse,
): Promise<void> {
  const send = async (event: string) => {
    const bytes = Buffer.from(event)
    for (let at = 0; at < bytes.length; at += bytesAtOnce ?? bytes.length) {
      if (!response.write(bytes.subarray(at, at + (bytesAtOnce ?? bytes.length))))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      if (bytesAtOnce) await new Promise((sent) => setImmediate(sent))
    }
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.flushHeaders()
  for (const event of protocol.begin(model)) await send(event)
  for (const word of words) await send(protocol.say(word))
  switch (ending) {
    case 'cut':
      // The text has to arrive before the connection breaks.
      response.write('', () => response.destroy())
      return
    case 'quiet end':
      response.end()
      return
    case 'stall':
      return
    case 'malformed':
      await send(protocol.malformed)
      response.end()
      return
    case 'endless':
      while (!response.destroyed) await send(protocol.say('and so on '.repeat(100)))
      return
    case 'pondering':
      while (!response.destroyed) {
        for (const murmur of murmurs) await send(protocol.say(murmur))
        await sleep(50)
      }
      return
    case 'left open':
      for (const event of protocol.finish('stop', tokens)) await send(event)
      return
    default:
      for (const event of protocol.finish(ending, tokens)) await send(event)
      response.end()
  }
}

function protocolOf(path: string, request: IncomingMessage): Protocol {
  if (path.startsWith('/v1beta')) return google
  if (path.startsWith('/v1/messages') || request.headers['anthropic-version']) return anthropic
  return openai
}
