import { Agent, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { DocentProcess, postJson, startScript } from './support/docent-process.ts'
import { nextQuestion } from './support/questions.ts'
import { type Form, ms, type Row } from './support/rows.ts'

type Ask = (words: number, gapMs: number) => Promise<IncomingMessage>

/** Measures whether many open streams keep pace with the provider, and the memory of each. */
export async function* streams({ isFull }: Form): AsyncGenerator<Row> {
  const provider = await startScript('stream-provider.ts')
  const docent = await DocentProcess.start({
    LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_MODELS: 'bench=100000',
    MAX_WAITING_ANSWERS: '10000',
  })
  const agent = new Agent({ keepAlive: true })
  const { uuid } = await docent.api('/chatbot/create', { name: 'Bench', rate_limit: [10_000, 1] })
  const askProvider: Ask = (words, gapMs) =>
    postJson(
      `${provider.address}/v1/chat/completions`,
      { model: 'bench', stream: true, messages: [{ content: `${words} ${gapMs}` }] },
      docent.headers,
      agent,
    )
  yield* steady()
  yield* many(isFull ? 2_000 : 200)
  if (isFull) yield* many(2_000)
  yield* stuck(isFull ? 200 : 100)
  agent.destroy()
  provider.stop()
  await docent.stop()

  async function makeAskers(count: number): Promise<Ask[]> {
    const askers: Ask[] = []
    for (let i = 0; i < count; i++) {
      const session = await docent.api(`/chatbot/${uuid}/session/create`)
      askers.push((words, gapMs) =>
        docent.post(`/session/${session.uuid}/message/stream`, {
          query: `${nextQuestion()} ${words} ${gapMs}`,
        }),
      )
    }
    return askers
  }

  async function* steady(): AsyncGenerator<Row> {
    const askers = await makeAskers(200)
    const words = isFull ? 150 : 75
    const run = async (asks: Ask[], count = words) => {
      const begun = performance.now()
      await Promise.all(asks.map(async (ask) => read(await ask(count, 20))))
      return performance.now() - begun
    }
    // A process compiles its code during the first answers, which this does not measure.
    await run(askers, 20)
    const raw = await run(Array<Ask>(200).fill(askProvider))
    const through = await run(askers)
    yield {
      what: '200 streams of 50 words a second, duration',
      measured: ms(through),
      against: `provider ${ms(raw)}`,
      value: through / raw,
      bar: { atMost: 1.1 },
    }
  }

  async function* many(count: number): AsyncGenerator<Row> {
    const askers = await makeAskers(count)
    await sleep(1000)
    const before = docent.residentMb()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, docent.residentMb())
    }, 200)
    // Streams start over a few seconds, as real users arrive, and are then all open at once.
    const words = isFull ? 30 : 16
    const answers = await Promise.allSettled(
      askers.map(async (ask, index) => {
        await sleep(index * 2.5)
        return read(await ask(words, 500))
      }),
    )
    clearInterval(watch)
    const whole = answers.filter(
      (one) => one.status === 'fulfilled' && one.value === words * ' word'.length,
    )
    yield {
      what: `${count} streams of 2 words a second, kB each`,
      measured: `${whole.length} complete, ${most - before} MB`,
      against: `${before} MB before`,
      value: ((most - before) * 1000) / count,
      ...(count >= 1_000 && { bar: { atMost: 100 } }),
    }
  }

  async function* stuck(count: number): AsyncGenerator<Row> {
    const askers = await makeAskers(count)
    // Warm up with readers that do read, so that only data held back for stuck readers counts.
    for (let i = 0; i < 2; i++)
      await Promise.all(askers.map(async (ask) => read(await ask(8_000, 0))))
    await sleep(2000)
    const before = docent.residentMb()
    const answers = await Promise.all(askers.map((ask) => ask(8_000, 0)))
    for (const answer of answers) answer.pause()
    await sleep(5_000)
    const rise = docent.residentMb() - before
    yield {
      what: `${count} readers that stop reading answers of 40 kB, MB`,
      measured: `${rise} MB`,
      against: `${before} MB before`,
      value: rise,
      bar: { atMost: 50 },
    }
    for (const answer of answers) answer.destroy()
  }
}

async function read(response: IncomingMessage): Promise<number> {
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  let bytes = 0
  for await (const piece of response) bytes += piece.length
  return bytes
}
