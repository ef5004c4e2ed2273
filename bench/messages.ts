import { Agent, type IncomingMessage } from 'node:http'
import { BuiltInModel } from '@docent/server/src/models/embedding/built-in-encoder.ts'
import { DocentProcess, postJson, readText, startScript } from './support/docent-process.ts'
import { nextQuestion } from './support/questions.ts'
import { type Form, median, ms, perSecond, type Row, shareOf } from './support/rows.ts'

const CONNECTIONS = 16
const WORDS = ' 20 0'
// After this many answers, the code is fully compiled.
const WARM_UP = 800

type Ask = () => Promise<IncomingMessage>

/** Measures the cost of a stored turn: with a language model against the model alone, and with built-in answers. */
export async function* messages(form: Form): AsyncGenerator<Row> {
  yield* withProvider(form)
  yield* builtIn(form)
}

async function* withProvider({ isFull }: Form): AsyncGenerator<Row> {
  const provider = await startScript('stream-provider.ts')
  const docent = await DocentProcess.start({
    LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_MODELS: 'bench=100000',
  })
  const agent = new Agent({ keepAlive: true })
  const askProvider: Ask = () =>
    postJson(
      `${provider.address}/v1/chat/completions`,
      { model: 'bench', stream: true, messages: [{ content: nextQuestion() + WORDS }] },
      docent.headers,
      agent,
    )
  const askers = await makeAskers(docent, CONNECTIONS, WORDS)

  const times = { raw: [] as number[], docent: [] as number[] }
  const turns = isFull ? 600 : 200
  for (let i = -WARM_UP; i < turns; i++) {
    const raw = await timeFirst(askProvider)
    const through = await timeFirst(askers[0]!)
    if (i < 0) continue
    times.raw.push(raw)
    times.docent.push(through)
  }
  for (const [share, atMost] of [
    [0.5, 3],
    [0.99, 20],
  ] as const) {
    const [raw, through] = [shareOf(times.raw, share), shareOf(times.docent, share)]
    yield {
      what: `first text of an answer, p${share * 100}, ms more than the provider`,
      measured: ms(through),
      against: `provider ${ms(raw)}`,
      value: through - raw,
      bar: { atMost },
    }
  }

  const rounds = []
  const lasting = isFull ? 3000 : 2000
  await rate(askers, lasting)
  for (let i = 0; i < 3; i++) {
    const raw = await rate(Array<Ask>(CONNECTIONS).fill(askProvider), lasting)
    rounds.push({ raw, docent: await rate(askers, lasting) })
  }
  const ratio = median(rounds.map((round) => round.docent / round.raw))
  const middle = rounds.find((round) => round.docent / round.raw === ratio)!
  yield {
    what: `stored turns of 20 words, ${CONNECTIONS} connections`,
    measured: perSecond(middle.docent),
    against: `provider ${perSecond(middle.raw)}`,
    value: ratio,
    bar: { atLeast: 0.2 },
  }
  agent.destroy()
  provider.stop()
  await docent.stop()
}

/** Compares with the encoder alone on a core in the same run, because each question needs an embedding. */
async function* builtIn({ isFull }: Form): AsyncGenerator<Row> {
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
  const askers = await makeAskers(docent, 64)
  const bare = await startScript(
    'bare-server.ts',
    JSON.stringify({ text: 'As many as there are.' }),
  )
  const agent = new Agent({ keepAlive: true })
  const askBare: Ask = () => postJson(`${bare.address}/text`, {}, docent.headers, agent)
  const encoder = await BuiltInModel.load()
  const lasting = isFull ? 4000 : 2000
  const rounds = []
  for (let i = -1; i < 3; i++) {
    const fastify = await rate(Array<Ask>(64).fill(askBare), lasting)
    const answered = await rate(askers, lasting)
    if (i >= 0) rounds.push({ fastify, answered })
  }
  const ratio = median(rounds.map((round) => round.answered / round.fastify))
  const { fastify, answered } = rounds.find((round) => round.answered / round.fastify === ratio)!
  const embedded = await embedRate(encoder, lasting)
  yield {
    what: 'built-in answers from pairs, 64 connections',
    measured: perSecond(answered),
    against: `bare Fastify ${perSecond(fastify)}`,
    value: ratio,
    bar: { atLeast: 0.1 },
  }
  yield {
    what: 'built-in answers from pairs, against the encoder alone',
    measured: perSecond(answered),
    against: `encoder ${perSecond(embedded)}`,
    value: answered / embedded,
  }
  agent.destroy()
  bare.stop()
  await docent.stop()
}

/** Gives each asker its own session, as real users have. */
export async function makeAskers(
  docent: DocentProcess,
  count: number,
  suffix = '',
): Promise<Ask[]> {
  const { uuid } = await docent.api('/chatbot/create', { name: 'Bench', rate_limit: [10_000, 1] })
  const pair = { question: 'How many words are there?', answer: 'As many as there are.' }
  const source = await docent.api(`/chatbot/${uuid}/data-source/qa`, pair)
  while ((await docent.get(`/data-source/${source.uuid}`)).status !== 'success');
  const askers: Ask[] = []
  for (let i = 0; i < count; i++) {
    const session = await docent.api(`/chatbot/${uuid}/session/create`)
    const path = `/session/${session.uuid}/message/stream`
    askers.push(() => docent.post(path, { query: nextQuestion() + suffix }))
  }
  return askers
}

async function timeFirst(ask: Ask): Promise<number> {
  const begun = performance.now()
  let first = 0
  for await (const _ of await ask()) first ||= performance.now() - begun
  return first
}

/** Turns per second of all askers together. */
async function rate(asks: Ask[], lasting: number): Promise<number> {
  const begun = performance.now()
  let turns = 0
  const askOn = async (ask: Ask) => {
    while (performance.now() - begun < lasting) {
      await readText(await ask())
      turns += 1
    }
  }
  await Promise.all(asks.map(askOn))
  return (turns * 1000) / (performance.now() - begun)
}

async function embedRate(encoder: BuiltInModel, lasting: number): Promise<number> {
  const begun = performance.now()
  let texts = 0
  for (; performance.now() - begun < lasting; texts++) await encoder.embed(nextQuestion())
  return (texts * 1000) / (performance.now() - begun)
}
