import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { makeAskers } from './messages.ts'
import { DocentProcess } from './support/docent-process.ts'
import { type Form, ms, perSecond, type Row, shareOf } from './support/rows.ts'

/** Measures the cost of an idle server, and its behavior under overload. */
export async function* idle({ isFull }: Form): AsyncGenerator<Row> {
  const starts: number[] = []
  for (let i = 0; i < (isFull ? 5 : 3); i++) {
    const started = await DocentProcess.start()
    starts.push(started.readyMs)
    await started.stop()
  }
  yield {
    what: 'start to ready',
    measured: ms(shareOf(starts, 0.5)),
    against: `slowest of ${starts.length}: ${ms(Math.max(...starts))}`,
  }
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn' })
  await sleep(2000)
  const before = docent.residentMb()
  yield { what: 'memory of an idle server', measured: `${before} MB`, against: '' }
  yield* keptAlive(docent)
  yield* loaded(docent, isFull ? 8 : 4)
  await docent.stop()
  yield* overloaded()
}

async function* keptAlive(docent: DocentProcess): AsyncGenerator<Row> {
  for (let i = 0; i < 200; i++) await docent.get('/chatbots')
  const before = docent.residentMb()
  const { hostname, port } = new URL(docent.address)
  const sockets: Socket[] = []
  for (let i = 0; i < 1000; i++) {
    const socket = connect(Number(port), hostname)
    socket.write(
      `GET /api/v1/user HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${docent.token}\r\n\r\n`,
    )
    await new Promise((resolve) => socket.once('data', resolve))
    sockets.push(socket)
  }
  const grown = docent.residentMb() - before
  yield {
    what: 'growth with 1,000 idle connections, MB',
    measured: `${grown} MB`,
    against: `${before} MB before`,
    value: grown,
    bar: { atMost: 50 },
  }
  for (const socket of sockets) socket.destroy()
}

async function* loaded(docent: DocentProcess, duration: number): AsyncGenerator<Row> {
  const { uuid } = await docent.api('/chatbot/create', { name: 'Bench' })
  const load = (overallRate?: number) =>
    autocannon({
      url: docent.address,
      connections: 32,
      duration,
      ...(overallRate && { overallRate }),
      requests: [{ path: `/api/v1/chatbot/${uuid}`, headers: docent.headers }],
    })
  const most = (await load()).requests.average
  await docent.loopDelay()
  await load(Math.round(most * 0.7))
  const { p50Ms, p99Ms } = await docent.loopDelay()
  yield {
    what: 'event loop delay at 70 % of the highest rate, p99, ms',
    measured: `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}`,
    against: `highest rate ${perSecond(most)}`,
    value: p99Ms,
    bar: { atMost: 20 },
  }
}

/** Sends four times as many questions as may wait, then another question once they are done. */
async function* overloaded(): AsyncGenerator<Row> {
  const docent = await DocentProcess.start({ LOG_LEVEL: 'warn', MAX_WAITING_ANSWERS: '50' })
  const askers = await makeAskers(docent, 200)
  await (await askers[0]!()).resume()
  const refusals: number[] = []
  let answered = 0
  await Promise.all(
    askers.map(async (ask) => {
      const begun = performance.now()
      const response = await ask()
      if (response.statusCode === 503) refusals.push(performance.now() - begun)
      else answered += 1
      for await (const _ of response);
    }),
  )
  const begun = performance.now()
  const { statusCode } = await askers[0]!()
  yield {
    what: '200 questions at once, 50 places',
    measured: `${answered} answered, ${refusals.length} refused`,
    against: refusals.length > 0 ? `slowest refusal ${ms(Math.max(...refusals))}` : '',
  }
  yield {
    what: 'next question after that',
    measured: `${statusCode} after ${ms(performance.now() - begun)}`,
    against: '',
    value: statusCode!,
    bar: { atMost: 200 },
  }
  await docent.stop()
}
