import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createUser } from '@docent/server/src/features/accounts/users.store.ts'
import { createToken } from '@docent/server/src/features/tokens/tokens.store.ts'
import { withDatabase } from './greedy/world.ts'
import { callJson, DocentProcess, readText } from './support/docent-process.ts'
import { nextQuestion } from './support/questions.ts'
import { type Form, median, ms, type Row, shareOf } from './support/rows.ts'

const OTHERS = 9
const PLACES = 100
/** More than all places, so that the greedy owner takes every place that it can get. */
const GREEDY_AT_ONCE = 2 * PLACES
const HELD_MS = 400
const SHARE_BAR = { atMost: 0.5 } as const

/** Measures how ten owners share a server when one of them tries to use all of it. */
export async function* fairness({ isFull }: Form): AsyncGenerator<Row> {
  const lastingMs = isFull ? 20_000 : 6_000
  const provider = await startCountingProvider()
  const docent = await startWithOwners(provider.address)
  yield* modelAnswers(docent, provider, lastingMs)
  yield* builtInAnswers(docent, lastingMs)
  yield* sources(docent, isFull ? 200 : 60)
  await docent.server.stop('SIGKILL')
  provider.close()
}

/** The largest share of the model's places that the greedy owner ever holds. */
async function* modelAnswers(
  { greedy, others, server }: Owners,
  provider: CountingProvider,
  lastingMs: number,
): AsyncGenerator<Row> {
  const until = performance.now() + lastingMs
  const asking = others.map((owner) => keepAsking(owner, 'slow', 2, until))
  await sleep(HELD_MS)
  provider.reset()
  await Promise.all([...asking, keepAsking(greedy, 'slow', GREEDY_AT_ONCE, until)])
  const most = provider.most(greedy.name)
  yield {
    what: 'waiting places held by the greedy owner of ten',
    measured: `${most} of ${PLACES}`,
    against: `${GREEDY_AT_ONCE} asked for; ${await refusals(server, 'model_answers')} refused`,
    value: most / PLACES,
    bar: SHARE_BAR,
  }
}

/** Built-in answers, which share a thread and a process. */
async function* builtInAnswers({ greedy, others }: Owners, lastingMs: number): AsyncGenerator<Row> {
  const alone = await askTogether(others, lastingMs)
  const until = performance.now() + lastingMs
  const greedyDone = keepAsking(greedy, 'docent-quote', GREEDY_AT_ONCE, until)
  const beside = await askTogether(others, lastingMs)
  const greedyTimes = await greedyDone
  const share = greedyTimes.length / (greedyTimes.length + beside.length)
  yield {
    what: 'built-in answers: p99 of nine owners, with and without a greedy one',
    measured: ms(shareOf(beside, 0.99)),
    against: ms(shareOf(alone, 0.99)),
    value: shareOf(beside, 0.99) / shareOf(alone, 0.99),
  }
  yield {
    what: 'built-in answers of the greedy owner while nine others ask',
    measured: `${greedyTimes.length}`,
    against: `${beside.length} of the others`,
    value: share,
    bar: SHARE_BAR,
  }
}

/** Sources: the greedy owner adds many before each other owner adds one. */
async function* sources({ greedy, others }: Owners, count: number): AsyncGenerator<Row> {
  const alone = await Promise.all(others.map((owner) => timeSource(owner)))
  await Promise.all(Array.from({ length: count }, () => addSource(greedy)))
  const beside = await Promise.all(others.map((owner) => timeSource(owner)))
  const listed = JSON.parse(await greedy.call('GET', `/chatbot/${greedy.chatbot}/data-sources`))
  const done = listed.filter(({ status }: { status: string }) => status === 'success').length
  yield {
    what: `time until a text is searchable, behind ${count} of a greedy owner (median of nine)`,
    measured: ms(median(beside)),
    against: `${ms(median(alone))}; ${done} of the greedy owner’s were done first`,
    value: median(beside) / median(alone),
  }
}

interface Owner {
  name: string
  chatbot: string
  call: (method: string, path: string, body?: object) => Promise<string>
}

interface Owners {
  server: DocentProcess
  greedy: Owner
  others: Owner[]
}

async function startWithOwners(provider: string): Promise<Owners> {
  const names = ['greedy', ...Array.from({ length: OTHERS }, (_, i) => `other${i}`)]
  const { folder, result: tokens } = await withDatabase(async (db) => {
    const made: string[] = []
    for (const name of names) {
      const { id } = await createUser(db, name)
      made.push((await createToken(db, { userId: id, name })).token)
    }
    return made
  })
  const server = await DocentProcess.start(
    {
      LOG_LEVEL: 'error',
      OPENAI_BASE_URL: `${provider}/v1`,
      OPENAI_MODELS: 'slow',
      DEFAULT_MODEL: 'docent-quote',
      MAX_WAITING_ANSWERS: String(PLACES),
    },
    { folder, token: tokens[0]! },
  )
  const agent = new Agent({ keepAlive: true })
  const owners: Owner[] = []
  for (const [index, name] of names.entries()) {
    const headers = { authorization: `Bearer ${tokens[index]}`, 'content-type': 'application/json' }
    const call: Owner['call'] = async (method, path, body) => {
      const url = `${server.address}/api/v1${path}`
      return readText(await callJson(method, url, { headers, agent, body }))
    }
    const made = await call('POST', '/chatbot/create', { name, rate_limit: [10_000, 1] })
    const owner = { name, chatbot: JSON.parse(made).uuid as string, call }
    await timeSource(owner)
    owners.push(owner)
  }
  const [greedy, ...others] = owners
  return { server, greedy: greedy!, others }
}

/** Keeps asking at the given concurrency until a time. Returns the duration of each answer. */
async function keepAsking(
  owner: Owner,
  model: string,
  atOnce: number,
  until: number,
): Promise<number[]> {
  await owner.call('POST', `/chatbot/${owner.chatbot}/update`, { model })
  const times: number[] = []
  const ask = async () => {
    const { uuid } = JSON.parse(
      await owner.call('POST', `/chatbot/${owner.chatbot}/session/create`, {}),
    )
    while (performance.now() < until) {
      const begun = performance.now()
      const query = `${owner.name}: ${nextQuestion()}`
      await owner.call('POST', `/session/${uuid}/message/stream`, { query }).then(
        () => times.push(performance.now() - begun),
        () => sleep(100),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return times
}

async function askTogether(owners: Owner[], lastingMs: number): Promise<number[]> {
  const until = performance.now() + lastingMs
  const times = await Promise.all(
    owners.map((owner) => keepAsking(owner, 'docent-quote', 1, until)),
  )
  return times.flat()
}

async function addSource({ chatbot, call }: Owner): Promise<string> {
  const question = nextQuestion()
  const answer = Array.from({ length: 50 }, (_, i) => `Line ${i} of the answer.`).join(' ')
  return JSON.parse(await call('POST', `/chatbot/${chatbot}/data-source/qa`, { question, answer }))
    .uuid
}

async function timeSource(owner: Owner): Promise<number> {
  const begun = performance.now()
  const uuid = await addSource(owner)
  while (!(await owner.call('GET', `/data-source/${uuid}`)).includes('"success"')) await sleep(10)
  return performance.now() - begun
}

async function refusals({ address }: DocentProcess, limit: string): Promise<string> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  return new RegExp(`docent_refusals_total\\{limit="${limit}"\\} (\\d+)`).exec(metrics)?.[1] ?? '0'
}

interface CountingProvider {
  address: string
  /** The maximum of this owner's questions held at the same time. */
  most(name: string): number
  reset(): void
  close(): void
}

/** An OpenAI-compatible provider that delays its response and counts the questions that it holds per owner. */
async function startCountingProvider(): Promise<CountingProvider> {
  const held = new Map<string, number>()
  const most = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    if (body === '') return response.end('{"object":"list","data":[{"id":"slow"}]}')
    const name = /(greedy|other\d): /.exec(JSON.parse(body).messages.at(-1).content)?.[1] ?? ''
    held.set(name, (held.get(name) ?? 0) + 1)
    most.set(name, Math.max(most.get(name) ?? 0, held.get(name)!))
    await sleep(HELD_MS)
    held.set(name, held.get(name)! - 1)
    const delta = JSON.stringify({ choices: [{ index: 0, delta: { content: 'Yes.' } }] })
    const end = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    return response.end(`data: ${delta}\n\ndata: ${end}\n\ndata: [DONE]\n\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    most: (name) => most.get(name) ?? 0,
    reset: () => most.clear(),
    close: () => server.close(),
  }
}
