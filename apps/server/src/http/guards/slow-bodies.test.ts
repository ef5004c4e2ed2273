import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startTestServer, type TestServer, until } from '../../../test/harness.ts'
import { Wire } from '../../../test/wire.ts'

const LIMITS = { leastBytes: 64 * 1024, withinMs: 200, withinMsAfterAnswer: 100, checkEveryMs: 20 }
const BOUNDARY = 'the-boundary'

async function metrics({ address }: TestServer): Promise<string> {
  return (await fetch(`${address}/metrics`)).text()
}

async function refusals(server: TestServer, limit: string): Promise<number> {
  const text = await metrics(server)
  return Number(new RegExp(`docent_refusals_total{limit="${limit}"} (\\d+)`).exec(text)?.[1] ?? 0)
}

/** Sends half a body. */
async function begin(
  t: TestContext,
  { address }: { address: string },
  path: string,
  headers: string[],
  body = '{"name":',
): Promise<Wire> {
  const wire = await Wire.open(t, address)
  wire.request('POST', path, { headers: ['Content-Length: 1000', ...headers], body })
  return wire
}

test('a body that stalls is cut off with 408, on every kind of route', async (t) => {
  const server = await startTestServer(t, { bodyLimits: LIMITS })
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const token = `Authorization: Bearer ${owner.token}`
  const json = 'Content-Type: application/json'
  const form = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`
  const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab`
  const small = 'Content-Length: 1000'
  const routes: [path: string, headers: string[], body?: string][] = [
    ['/api/v1/chatbot/create', [token, json, small]],
    ['/api/v1/sign-in', [json, small]],
    ['/v1/chat/completions', [token, json, small]],
    ['/mcp', [token, json, small]],
    [`/api/v1/chatbot/${chatbot}/data-source/upload`, [token, form, small], part],
    [`/api/v1/chatbot/${chatbot}/data-source/upload`, [token, form, 'Transfer-Encoding: chunked']],
  ]
  for (const [path, headers, body] of routes) {
    const wire = await Wire.open(t, server.address)
    wire.request('POST', path, { headers, body: body ?? '8\r\n{"name":\r\n' })
    const answer = await wire.answer()
    assert.equal(answer.status, 408, path)
    assert.match(answer.body, /too slowly/)
    assert.equal(answer.headers.connection, 'close')
    assert.equal(await wire.ended(), '')
  }
  assert.equal(await refusals(server, 'stalled_body'), routes.length)
  await until(async () => (await metrics(server)).includes('\ndocent_uploads 0\n') || undefined)
})

test('a body that keeps coming is no stalled one, however long it takes', async (t) => {
  const server = await startTestServer(t, { bodyLimits: { ...LIMITS, leastBytes: 100 } })
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  const end = `\r\n--${BOUNDARY}--\r\n`
  const rounds = 12
  const wire = await Wire.open(t, server.address)
  wire.request('POST', `/api/v1/chatbot/${chatbot}/data-source/upload`, {
    headers: [
      `Authorization: Bearer ${owner.token}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `Content-Length: ${head.length + rounds * 1_000 + end.length}`,
    ],
    body: head,
  })
  for (let i = 0; i < rounds; i++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    wire.write('a'.repeat(1_000))
  }
  wire.write(end)
  assert.equal((await wire.answer()).status, 200)
})

test('an upload that waits for a place is no stalled one', async (t) => {
  const server = await startTestServer(t, {
    bodyLimits: { ...LIMITS, withinMs: 100 },
    uploadLimits: { inAll: 1, waitMs: 600_000 },
  })
  const chatbot = await server.owner.createChatbot()
  const upload = async (token: string) => {
    const body = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
    return begin(
      t,
      server,
      `/api/v1/chatbot/${chatbot}/data-source/upload`,
      [`Authorization: Bearer ${token}`, `Content-Type: multipart/form-data; boundary=${BOUNDARY}`],
      body,
    )
  }
  const answers: string[] = []
  const first = await upload(server.owner.token)
  void first.answer().then(({ status }) => answers.push(`first ${status}`))
  await until(async () => (await metrics(server)).includes('docent_uploads 1') || undefined)
  const second = await upload((await server.tokenFor('owner')).token)
  void second.answer().then(({ status }) => answers.push(`second ${status}`))
  await until(() => answers.length === 2 || undefined)
  assert.deepEqual(answers, ['first 408', 'second 408'], 'its time began when it had the place')
})

test('1,500 half-sent bodies without a sign-in leave room for a real caller', async (t) => {
  const server = await startTestServer(t, {
    bodyLimits: { withinMs: 600_000, withinMsAfterAnswer: 600_000, checkEveryMs: 50 },
  })
  const { hostname, port } = new URL(server.address)
  let open = 0
  for (let i = 0; i < 1_500; i++) {
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => {
      open -= 1
    })
    socket.resume()
    await once(socket, 'connect')
    open += 1
    const path = i % 2 === 0 ? '/api/v1/sign-in' : '/api/v1/chatbot/create'
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"name":`)
  }
  await until(() => open <= 20 || undefined)
  assert.equal(open, 20, 'of one address')
  assert.equal((await server.owner.json('POST', '/chatbot/create', { name: 'Real' })).status, 200)
  assert.ok((await refusals(server, 'unfinished_bodies')) > 700, 'as far as they had no answer yet')
})

test('bodies under way are counted by forwarded address, and by owner', async (t) => {
  const server = await startTestServer(t, {
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
    bodyLimits: { perSender: 2, inAll: 5, withinMs: 600_000, checkEveryMs: 20 },
  })
  const from = (address: string) =>
    begin(t, server, '/api/v1/sign-in', [`X-Forwarded-For: ${address}`])
  const first = [await from('203.0.113.1'), await from('203.0.113.1')]
  const third = await from('203.0.113.1')
  const refused = await third.answer()
  assert.equal(refused.status, 503)
  assert.deepEqual(JSON.parse(refused.body).details, { limit: 'unfinished_bodies' })
  assert.equal(await third.ended(), '')

  const second = [await from('203.0.113.2'), await from('203.0.113.2')]
  const fifth = await from('203.0.113.3')
  const sixth = await from('203.0.113.4')
  assert.equal((await sixth.answer()).status, 503, 'five in all')

  const ofOwner = [`Authorization: Bearer ${server.owner.token}`, 'X-Forwarded-For: 203.0.113.1']
  const create = (headers: string[]) => begin(t, server, '/api/v1/chatbot/create', headers)
  const owned = [await create(ofOwner), await create(ofOwner)]
  assert.equal((await (await create(ofOwner)).answer()).status, 503)
  for (const wire of [...first, ...second, fifth, ...owned]) assert.equal(wire.closed, false)
})

test('a connection with half a head, or none, makes room for one with a request', async (t) => {
  const server = await startTestServer(t)
  const { hostname, port } = new URL(server.address)
  let closed = 0
  for (let i = 0; i < 1_000; i++) {
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => {
      closed += 1
    })
    socket.resume()
    await once(socket, 'connect')
    if (i % 2 === 0) socket.write('POST /api/v1/sign-in HTTP/1.1\r\nHost: loc')
  }
  await until(() => closed >= 500 || undefined)
  assert.equal((await server.owner.json('GET', '/chatbots')).status, 200)
})

test('an owner with very many idle connections loses some, and another owner keeps the only one', async (t) => {
  const server = await startTestServer(t)
  const quiet = server.stranger
  const keepOne = async (token: string) => {
    const wire = await Wire.open(t, server.address)
    wire.request('GET', '/api/v1/user', { headers: [`Authorization: Bearer ${token}`] })
    assert.equal((await wire.answer()).status, 200)
    return wire
  }
  const kept = await keepOne(quiet.token)
  const many = await Promise.all(Array.from({ length: 600 }, () => keepOne(server.owner.token)))
  await until(() => many.filter(({ closed }) => closed).length >= 100 || undefined)
  assert.equal(kept.closed, false)
  kept.request('GET', '/api/v1/user', { headers: [`Authorization: Bearer ${quiet.token}`] })
  assert.equal((await kept.answer()).status, 200)
})
