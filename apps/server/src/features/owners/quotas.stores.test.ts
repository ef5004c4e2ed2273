import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Client,
  scriptedModel,
  startTestServer,
  type TestServer,
  until,
} from '../../../test/harness.ts'
import { docentOn, runForJson } from '../../../test/run-docent.ts'

async function refusals({ address }: TestServer, limit: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(new RegExp(`docent_refusals_total{limit="${limit}"} (\\d+)`).exec(text)?.[1] ?? 0)
}

const useOf = async (client: Client) => (await client.json('GET', '/user/use')).body

const assertReached = (answer: { status: number; body: { code: string } }, limit: string) => {
  assert.equal(answer.status, 409, JSON.stringify(answer.body))
  assert.equal(answer.body.code, 'quota_reached')
  assert.deepEqual((answer.body as { details?: unknown }).details, { limit })
}

test('an owner sees what is stored, and nothing is refused unless a quota is set', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  const { owner } = server
  const before = await useOf(owner)
  assert.deepEqual(before, {
    rows: 0,
    max_rows: null,
    bytes: 0,
    max_bytes: null,
    chatbots: 0,
    sources: 0,
    sessions: 0,
    messages: 0,
  })
  const chatbot = await owner.createChatbot()
  await owner.createPair(chatbot, 'When does it open?', 'At nine.')
  const content = 'The café opens at dawn. '.repeat(1_000)
  const upload = (await (await owner.upload(chatbot, 'a.txt', content)).json()) as { uuid: string }
  await owner.settled(upload.uuid)
  const session = await owner.createSession(chatbot)
  script.answer('At nine o’clock.')
  await (await owner.ask(session, 'When?')).text()
  const after = await until(async () => {
    const use = await useOf(owner)
    return use.messages === 1 ? use : undefined
  })
  assert.deepEqual(
    [after.chatbots, after.sources, after.sessions, after.messages, after.rows],
    [1, 2, 1, 1, 5],
  )
  const size = Buffer.byteLength(content)
  assert.ok(after.bytes > 2 * size, 'the file, and its text')
  assert.ok(after.bytes < 2 * size + 5_000)
  const other = await useOf(server.stranger)
  assert.equal(other.rows, 0, 'somebody else’s')

  await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
  await until(async () => ((await useOf(owner)).bytes === 0 ? true : undefined))
})

test('over the quota of rows nothing is created, and deletes make room again', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, {
    models: [script.model],
    environment: { MAX_ROWS_PER_OWNER: '6' },
  })
  const { owner, stranger } = server
  const chatbot = await owner.createChatbot({ visibility: 'public' })
  const session = await owner.createSession(chatbot)
  const pair = () =>
    owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, { question: 'q', answer: 'a' })
  const created = await Promise.all(Array.from({ length: 10 }, pair))
  assert.deepEqual(
    created.map(({ status }) => status).sort(),
    [...Array(4).fill(200), ...Array(6).fill(409)],
    'also when all come at once',
  )
  assert.match(created.find(({ status }) => status === 409)!.body.error, /6 rows.*Delete something/)

  const url = `/chatbot/${chatbot}/data-source/url`
  const form = new FormData()
  form.set('file', new Blob(['Open daily.']), 'a.txt')
  const refused = [
    await owner.json('POST', url, { url: 'https://example.org' }),
    await owner.json('POST', '/chatbot/create', { name: 'Bot' }),
    await owner.json('POST', `/chatbot/${chatbot}/session/create`),
    await owner.json('POST', `/session/${session}/message/non-stream`, { query: 'q' }),
    await (async () => {
      const answer = await owner.send('POST', `/chatbot/${chatbot}/data-source/upload`, form)
      return { status: answer.status, body: (await answer.json()) as never }
    })(),
  ]
  for (const answer of refused) assertReached(answer, 'owner_rows')
  assert.equal(script.calls.length, 0)
  assert.deepEqual(await owner.messages(session), [], 'nothing is stored')
  const visit = await fetch(`${owner.base}/public/chatbot/${chatbot}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'share' }),
  })
  assert.equal(visit.status, 409)
  const said = (await visit.json()) as { error: string }
  assert.doesNotMatch(said.error, /rows|account/, 'what concerns the owner is not for visitors')
  assert.equal(await refusals(server, 'owner_rows'), 12)
  assert.ok(await stranger.createChatbot(), 'others have a quota of their own')

  const [source] = (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body
  await owner.json('POST', `/data-source/${source.uuid}/delete`)
  await until(async () => ((await pair()).status === 200 ? true : undefined))
  assert.equal((await pair()).status, 409)
  const use = await until(async () => {
    const use = await useOf(owner)
    return use.rows === 6 ? use : undefined
  })
  assert.equal(use.max_rows, 6)
})

test('over the quota of bytes no file and no question is taken', async (t) => {
  const server = await startTestServer(t, { environment: { MAX_MB_PER_OWNER: '1' } })
  const { owner } = server
  const chatbot = await owner.createChatbot()
  // A large file with little text, so that the test does not wait for ingestion.
  const upload = async (size: number) => {
    const answer = await owner.upload(chatbot, 'a.html', `<p>Open</p><!--${'x'.repeat(size)}-->`)
    return { status: answer.status, body: (await answer.json()) as { uuid: string; code: string } }
  }
  assertReached(await upload(2_000_000), 'owner_bytes')
  const taken = await Promise.all([upload(600_000), upload(600_000), upload(600_000)])
  assert.deepEqual(taken.map(({ status }) => status).sort(), [200, 409, 409])
  assert.equal((await upload(440_000)).status, 200)
  const session = await owner.createSession(chatbot)
  const pair = { question: 'q', answer: 'a'.repeat(10_000) }
  const small = { query: 'Is it open?' }
  const path = `/session/${session}/message/non-stream`
  assertReached(await owner.json('POST', path, { query: 'q'.repeat(20_000) }), 'owner_bytes')
  assertReached(await owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair), 'owner_bytes')
  assert.equal((await owner.json('POST', path, small)).status, 200, 'there is room for little')
  assert.ok((await refusals(server, 'owner_bytes')) > 0)
  await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
  const next = await owner.createChatbot()
  await until(async () =>
    (await owner.upload(next, 'a.txt', 'Open daily.')).status === 200 ? true : undefined,
  )
})

test('docent user use shows what each user has stored', async (t) => {
  const server = await startTestServer(t)
  const chatbot = await server.owner.createChatbot()
  await server.owner.createPair(chatbot, 'q', 'a')
  await server.stranger.createChatbot()
  const limits = { MAX_ROWS_PER_OWNER: '1000' }
  const { stdout } = await docentOn(server, ['user', 'use'], limits)
  assert.equal(stdout, 'owner: 2 of 1,000 rows, 1 MB\nstranger: 1 of 1,000 rows, 0 MB\n')
  const [owner] = await runForJson(server, ['user', 'use'], limits)
  assert.deepEqual([owner.name, owner.rows, owner.max_rows, owner.sources], ['owner', 2, 1000, 1])
})
