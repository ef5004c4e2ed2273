import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig } from '../src/config.ts'
import type { Database } from '../src/database/database.ts'
import { createUser } from '../src/features/accounts/users.store.ts'
import { createToken, type NewToken } from '../src/features/tokens/tokens.store.ts'
import { type RunningServer, type StartOptions, startServer } from '../src/main.ts'
import { openEmbedder } from '../src/models/embedding/embedders.ts'
import type { LanguageModel, ModelRequest } from '../src/models/model-catalog.ts'
import { Embeddings } from '../src/search/vectors/embeddings.ts'
import type { Index } from '../src/search/write-passages.ts'
import { createDatabase } from './test-database.ts'

export interface TestServer extends RunningServer {
  config: Config
  /** Signed in as the first user. */
  owner: Client
  /** Signed in as another user. */
  stranger: Client
  tokenFor(
    user: 'owner' | 'stranger',
    options?: Partial<NewToken>,
  ): Promise<{ id: string; token: string }>
}

export interface TestOptions extends StartOptions {
  models?: LanguageModel[]
  environment?: NodeJS.ProcessEnv
}

/** A test's context, or `node:test` itself for a server that a whole file shares. */
export type Ends = { after: (end: () => unknown) => void }

export function temporaryFolder(t: Ends): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the real server on a free port with a real database. Only the language model may be scripted. */
export async function startTestServer(
  t: Ends,
  { models = [], environment = {}, ...options }: TestOptions = {},
): Promise<TestServer> {
  const database = await createDatabase()
  let running: RunningServer | undefined
  t.after(async () => {
    await running?.stop(0)
    await database.drop()
  })
  const settings = { DATA_DIR: temporaryFolder(t), PORT: '0', LOG_LEVEL: 'silent' }
  const config = readConfig({ ...settings, ...database.settings, ...environment })
  // New chatbots use the default model, so it is the scripted one.
  const defaultModel = models[0]?.name ?? config.defaultModel
  const server = await startServer({ ...config, defaultModel }, models, options)
  running = server
  const { db } = server.services
  const strangerId = (await createUser(db, 'stranger')).id
  const first = new Client(server.address, server.firstToken!)
  const ownerId = (await first.json('GET', '/user')).body.uuid
  const tokenFor: TestServer['tokenFor'] = (user, options) =>
    createToken(db, { userId: user === 'owner' ? ownerId : strangerId, name: 'test', ...options })
  const stranger = new Client(server.address, (await tokenFor('stranger')).token)
  return { ...server, config, owner: first, stranger, tokenFor }
}

/** For tests in which the meaning of a text does not matter: these embeddings are meaningless and cost nothing. */
export const NO_MEANING = { EMBEDDER: `folder:${join(import.meta.dirname, 'files/tiny-encoder')}` }

/** The services that write passages, for tests with a database but no server. */
export async function openIndex(t: Ends, db: Database): Promise<Index> {
  const embedder = openEmbedder({ kind: 'built-in' })
  t.after(() => embedder.close())
  const embeddings = await Embeddings.open(db, embedder, () => undefined)
  return { db, embeddings, stopping: new AbortController().signal }
}

/** Starts a local web site, by default without a robots.txt, and returns its address. */
export async function startSite(
  t: Ends,
  handler: RequestListener,
  { robots }: { robots?: string } = {},
): Promise<string> {
  const site = createServer((request, response) => {
    if (request.url !== '/robots.txt') handler(request, response)
    else if (robots === undefined) response.writeHead(404).end()
    else response.end(robots)
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  t.after(() => {
    site.close()
    site.closeAllConnections()
  })
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
type Body = any

export class Client {
  readonly base: string
  readonly token: string

  constructor(address: string, token: string) {
    this.base = `${address}/api/v1`
    this.token = token
  }

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const isForm = body instanceof FormData
    return fetch(this.base + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    })
  }

  async json(method: string, path: string, body?: unknown) {
    const response = await this.send(method, path, body)
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Body,
    }
  }

  async createChatbot(settings: object = {}): Promise<string> {
    return (await this.json('POST', '/chatbot/create', { name: 'Bot', ...settings })).body.uuid
  }

  async createSession(chatbot: string): Promise<string> {
    return (await this.json('POST', `/chatbot/${chatbot}/session/create`)).body.uuid
  }

  async createPair(chatbot: string, question: string, answer: string): Promise<string> {
    const { body } = await this.json('POST', `/chatbot/${chatbot}/data-source/qa`, {
      question,
      answer,
    })
    return (await this.settled(body.uuid)).uuid
  }

  upload(
    chatbot: string,
    name: string,
    content: string | Uint8Array<ArrayBuffer>,
    fields: Record<string, string> = {},
  ) {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.set(key, value)
    form.set('file', new Blob([content]), name)
    return this.send('POST', `/chatbot/${chatbot}/data-source/upload`, form)
  }

  /** Waits until the worker is done with the source. */
  async settled(source: string, patienceMs = 60_000): Promise<Body> {
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      const { body } = await this.json('GET', `/data-source/${source}`)
      if (!['await', 'extracting', 'chunking', 'embedding'].includes(body.status)) return body
      await sleep(25)
    }
    throw new Error(`source ${source} was not taken in`)
  }

  ask(session: string, query: string, headers: Record<string, string> = {}) {
    return this.send('POST', `/session/${session}/message/stream`, { query }, headers)
  }

  async messages(session: string): Promise<Body[]> {
    return (await this.json('GET', `/session/${session}/messages`)).body
  }
}

type Reason = 'stop' | 'length' | 'content_filter'

export interface Script {
  model: LanguageModel
  /** The requests to the model, and whether each was aborted. */
  calls: (ModelRequest & { aborted: boolean })[]
  say(text: string): void
  /** Says the text and finishes in a single step, so that concurrent questions do not share it. */
  answer(text: string): void
  finish(reason?: Reason): void
  fail(message: string): void
}

/** A language model whose answers and their timing are up to the test. */
export function scriptedModel(name = 'scripted'): Script {
  type Step = { text?: string; finish?: Reason } | { fail: string }
  const steps: Step[] = []
  const calls: Script['calls'] = []
  const bell = new EventTarget()
  const push = (step: Step) => {
    steps.push(step)
    bell.dispatchEvent(new Event('step'))
  }
  const model: LanguageModel = {
    name,
    provider: 'test',
    async *stream(request, signal) {
      const call = { ...request, aborted: false }
      calls.push(call)
      signal.addEventListener('abort', () => {
        call.aborted = true
      })
      while (!signal.aborted) {
        const step = steps.shift()
        if (!step) await Promise.race([once(bell, 'step'), once(signal, 'abort')])
        else if ('fail' in step) throw new Error(step.fail)
        else {
          if (step.text !== undefined) yield { type: 'text-delta', text: step.text }
          if (step.finish === undefined) continue
          const tokens = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
          yield { type: 'finish', reason: step.finish, tokens }
          return
        }
      }
    },
  }
  return {
    model,
    calls,
    say: (text) => push({ text }),
    answer: (text) => push({ text, finish: 'stop' }),
    finish: (reason = 'stop') => push({ finish: reason }),
    fail: (message) => push({ fail: message }),
  }
}

/** Reads chunks of a stream until the text has arrived. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  wanted: string,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes(wanted)) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
  }
  return text
}

/** Polls until the result is defined. */
export async function until<T>(
  find: () => T | undefined | Promise<T | undefined>,
  patienceMs = 60_000,
): Promise<T> {
  const end = Date.now() + patienceMs
  while (Date.now() < end) {
    const found = await find()
    if (found !== undefined) return found
    await sleep(10)
  }
  throw new Error('It never came true')
}

/** The number of requests that a limit has refused. */
export async function countRefusals(address: string, limit: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const line = new RegExp(`^docent_refusals_total{limit="${limit}"} (\\d+)$`, 'm')
  return Number(metrics.match(line)?.[1] ?? 0)
}
