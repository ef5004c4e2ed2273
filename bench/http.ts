import autocannon from 'autocannon'
import { DocentProcess, startScript } from './support/docent-process.ts'
import { type Form, median, ms, perSecond, type Row } from './support/rows.ts'

interface Target {
  path: string
  method?: 'GET' | 'POST'
  body?: string
}

interface Measurement {
  what: string
  connections: number
  docent: Target
  bare: Target
  atLeast?: number
}

/**
 * Measures API throughput relative to a bare Fastify route with the same response size. The two alternate, so that a
 * slow or busy machine slows both.
 */
export async function* http({ isFull }: Form): AsyncGenerator<Row> {
  const [seconds, rounds] = isFull ? [4, 5] : [2, 3]
  const docent = await DocentProcess.start()
  const bots = []
  for (let i = 0; i < 50; i++) bots.push(await docent.api('/chatbot/create', { name: `Bot ${i}` }))
  const [bot] = bots
  const bare = await startScript('bare-server.ts', JSON.stringify({ one: bot, many: bots }))
  const update = { method: 'POST', body: JSON.stringify({ prompt: 'Be brief.' }) } as const
  const one = { docent: { path: `/api/v1/chatbot/${bot.uuid}` }, bare: { path: '/one' } }
  const all = { docent: { path: '/api/v1/chatbots' }, bare: { path: '/many' } }
  const written = {
    docent: { path: `/api/v1/chatbot/${bot.uuid}/update`, ...update },
    bare: { path: '/one', ...update },
  }
  const measurements: Measurement[] = [
    { what: 'GET /chatbot/{uuid}', connections: 16, ...one, atLeast: 0.55 },
    {
      what: 'GET /chatbot/{uuid}, 10 times the connections',
      connections: 160,
      ...one,
      atLeast: 0.55,
    },
    { what: 'GET /chatbots (50 of them)', connections: 16, ...all, atLeast: 0.55 },
    { what: 'POST /chatbot/{uuid}/update, durable', connections: 64, ...written, atLeast: 0.3 },
  ]
  for (const measurement of measurements) yield await measure(measurement)

  const before = await load(docent.address, one.docent, 16)
  for (let i = 0; i < 450; i++) await docent.api('/chatbot/create', { name: `More ${i}` })
  const after = await load(docent.address, one.docent, 16)
  yield {
    what: 'GET /chatbot/{uuid} with 10 times the chatbots',
    measured: perSecond(after.requests.average),
    against: `${perSecond(before.requests.average)} with 50`,
    value: after.requests.average / before.requests.average,
    bar: { atLeast: 0.7 },
  }
  bare.stop()
  await docent.stop()

  async function measure({ what, connections, ...targets }: Measurement): Promise<Row> {
    const all = []
    await load(docent.address, targets.docent, connections, 1)
    for (let round = 0; round < rounds!; round++) {
      const ceiling = (await load(bare.address, targets.bare, connections)).requests.average
      const { requests, latency } = await load(docent.address, targets.docent, connections)
      all.push({ ceiling, rate: requests.average, p99: latency.p99 })
    }
    const ratio = median(all.map(({ rate, ceiling }) => rate / ceiling))
    const { rate, ceiling, p99 } = all.find((round) => round.rate / round.ceiling === ratio)!
    return {
      what: `${what}, ${connections} connections`,
      measured: `${perSecond(rate)}, p99 ${ms(p99)}`,
      against: `bare Fastify ${perSecond(ceiling)}`,
      value: ratio,
      ...(targets.atLeast !== undefined && { bar: { atLeast: targets.atLeast } }),
    }
  }

  function load(url: string, target: Target, connections: number, duration = seconds!) {
    const { headers } = docent
    return autocannon({ url, connections, duration, requests: [{ ...target, headers }] })
  }
}
