import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { suite, type TestContext, test } from 'node:test'
import { startChild } from '../../../test/child-server.ts'
import {
  Client,
  scriptedModel,
  startSite,
  startTestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import { makeDatabase } from '../../../test/test-database.ts'

interface Told {
  headers: IncomingHttpHeaders
  body: string
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own
  event: any
}

/** A webhook receiver that responds with these statuses in turn, then with 200. */
async function startReceiver(t: TestContext, ...statuses: number[]) {
  const told: Told[] = []
  const bell = new EventTarget()
  const url = await startSite(t, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    response.writeHead(statuses.shift() ?? 200).end()
    told.push({ headers: request.headers, body, event: JSON.parse(body) })
    bell.dispatchEvent(new Event('told'))
  })
  const after = async (times: number) => {
    while (told.length < times) await once(bell, 'told')
    return told
  }
  return { url, told, after }
}

const LOCAL = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }

async function start(t: TestContext, ...statuses: number[]) {
  const script = scriptedModel()
  const receiver = await startReceiver(t, ...statuses)
  const server = await startTestServer(t, { models: [script.model], environment: LOCAL })
  const chatbot = await server.owner.createChatbot()
  const hook = async (body: object = { url: receiver.url }) =>
    (await server.owner.json('POST', `/chatbot/${chatbot}/webhook/create`, body)).body
  const answer = async () => {
    const session = await server.owner.createSession(chatbot)
    script.say('Yes.')
    script.finish()
    const response = await server.owner.ask(session, 'q')
    await response.text()
    return { session, message: response.headers.get('x-message-uuid')! }
  }
  const log = async (uuid: string) =>
    (await server.owner.json('GET', `/webhook/${uuid}/deliveries`)).body
  return { ...server, receiver, chatbot, hook, answer, log }
}

function assertSigned({ headers, body }: Told, secret: string): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  assert.equal(signature, `v1,${expected}`)
  assert.ok(Math.abs(Number(at) - Date.now() / 1000) < 60)
}

/** The log once no delivery in it is pending. */
async function settledLog(read: () => Promise<{ status: string; error: string }[]>) {
  for (let i = 0; i < 400; i++) {
    const log = await read()
    if (log.length > 0 && log.every(({ status }) => status !== 'pending')) return log
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('still pending')
}

suite('webhooks', () => {
  test('are told of answers and sources, signed so that it can be checked', async (t) => {
    const { owner, chatbot, hook, answer, receiver, log } = await start(t)
    const { uuid, secret, events } = await hook()
    assert.deepEqual(events, ['message.finished', 'source.finished', 'source.failed'])
    const { session, message } = await answer()
    const [first] = await receiver.after(1)
    assert.equal(first!.event.type, 'message.finished')
    assert.equal(first!.event.data.uuid, message)
    assert.equal(first!.event.data.session_uuid, session)
    assert.equal(first!.event.data.chatbot_uuid, chatbot)
    assert.equal(first!.event.data.response, 'Yes.')
    assert.equal(first!.event.data.finish_reason, 'stop')

    assertSigned(first!, secret)

    const source = await owner.createPair(chatbot, 'When?', 'Now.')
    const [, second] = await receiver.after(2)
    assert.deepEqual(
      {
        type: second!.event.type,
        uuid: second!.event.data.uuid,
        status: second!.event.data.status,
      },
      { type: 'source.finished', uuid: source, status: 'success' },
    )
    const upload = await owner.upload(chatbot, 'empty.txt', ' ')
    const failed = await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    const [, , third] = await receiver.after(3)
    assert.equal(third!.event.type, 'source.failed')
    assert.equal(third!.event.data.status, failed.status)

    const deliveries = await settledLog(() => log(uuid))
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      ['delivered', 'delivered', 'delivered'],
    )
    const all = await log(uuid)
    const newest = `/webhook/${uuid}/deliveries?order=newest`
    assert.deepEqual((await owner.json('GET', newest)).body, all.toReversed())
    const page = await owner.json('GET', `${newest}&limit=1`)
    assert.deepEqual(page.body, [all[2]])
    const rest = /<\/api\/v1(.+)>/.exec(page.headers.get('link')!)![1]!
    assert.deepEqual((await owner.json('GET', rest)).body, [all[1]], 'the next page goes on')
    const list = (await owner.json('GET', `/chatbot/${chatbot}/webhooks`)).body
    assert.equal(list[0].secret, undefined, 'shown once')
  })

  test('are told again until they take it, by the same id', async (t) => {
    const { hook, answer, receiver, log } = await start(t, 500)
    const { uuid } = await hook({ url: receiver.url, events: ['message.finished'] })
    await answer()
    const [first, second] = await receiver.after(2)
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id'])
    assert.equal(first!.body, second!.body)
    const [delivery] = await settledLog(() => log(uuid))
    assert.deepEqual(
      { ...delivery, uuid: '', subject_uuid: '', created_at: '', modified_at: '' },
      {
        uuid: '',
        event: 'message.finished',
        subject_uuid: '',
        status: 'delivered',
        attempts: 2,
        response_status: 200,
        error: '',
        next_attempt_at: null,
        created_at: '',
        modified_at: '',
      },
    )
  })

  test('are not kept waiting by those that never answer', async (t) => {
    const { owner, stranger, chatbot, hook, receiver } = await start(t)
    let asked = 0
    const silent = await startSite(t, () => {
      asked += 1
    })
    const events = ['source.finished']
    for (let i = 0; i < 9; i++) await hook({ url: `${silent}/${i}`, events })
    for (let i = 0; i < 4; i++) await owner.createPair(chatbot, `q${i}`, 'a')
    await until(() => (asked >= 8 ? true : undefined))

    const other = await stranger.createChatbot()
    await stranger.json('POST', `/chatbot/${other}/webhook/create`, { url: receiver.url, events })
    await stranger.createPair(other, 'q', 'a')
    const patience = new Promise((_, reject) =>
      setTimeout(() => reject(new Error('it was not told in time')), 10_000).unref(),
    )
    await Promise.race([receiver.after(1), patience])
    assert.equal(asked, 8, 'one owner has no more told at once')
  })

  test('that are gone, or lead inside, are not told, and the log says why', async (t) => {
    const { hook, answer, receiver, log } = await start(t, 410)
    const gone = await hook()
    await answer()
    const [delivery] = await settledLog(() => log(gone.uuid))
    assert.equal(delivery!.status, 'failed')

    const inside = await hook({ url: 'http://10.255.255.1/' })
    await answer()
    await receiver.after(2)
    let [refused] = await log(inside.uuid)
    while (refused.attempts === 0 || refused.error === '') [refused] = await log(inside.uuid)
    assert.equal(refused.status, 'pending')
    assert.match(refused.error, /private or reserved/)
    assert.ok(refused.next_attempt_at)
    assert.equal(receiver.told.length, 2)
  })

  test('take only what they asked for, and nothing of another chatbot', async (t) => {
    const { owner, chatbot, hook, answer, receiver } = await start(t)
    await hook({ url: receiver.url, events: ['message.finished'] })
    const other = await owner.createChatbot()
    await owner.createPair(chatbot, 'a', 'b')
    await owner.createPair(other, 'c', 'd')
    await (
      await owner.ask(
        await owner.createSession(await owner.createChatbot({ model: 'docent-quote' })),
        'q',
      )
    ).text()
    await answer()
    await receiver.after(1)
    assert.deepEqual(
      receiver.told.map(({ event }) => event.type),
      ['message.finished'],
    )
  })

  test('are checked when they are made', async (t) => {
    const { owner, stranger, address, tokenFor, chatbot, hook } = await start(t)
    const make = (client: Client, body: object) =>
      client.json('POST', `/chatbot/${chatbot}/webhook/create`, body)
    for (const url of ['ftp://example.org', 'nowhere', '', 5, undefined])
      assert.equal((await make(owner, { url })).status, 422, String(url))
    assert.equal((await make(owner, { url: 'https://a.example', events: ['x'] })).status, 422)
    assert.equal((await make(owner, { url: 'https://a.example', events: [] })).status, 422)
    assert.equal((await make(stranger, { url: 'https://a.example' })).status, 404)
    // Message events contain what visitors ask, so a webhook for them needs permission to read.
    const { token } = await tokenFor('owner', { scopes: ['write'] })
    const writer = new Client(address, token)
    assert.equal((await make(writer, { url: 'https://a.example' })).status, 403)
    const ofSources = { url: 'https://a.example', events: ['source.finished'] }
    assert.equal((await make(writer, ofSources)).status, 403)
    const { body: harmless } = await make(owner, ofSources)
    assert.equal((await writer.json('POST', `/webhook/${harmless.uuid}/delete`)).status, 200)
    const { uuid } = await hook()
    assert.equal((await stranger.json('POST', `/webhook/${uuid}/delete`)).status, 404)
    assert.equal((await owner.json('POST', `/webhook/${uuid}/delete`)).status, 200)
    assert.equal((await owner.json('GET', `/webhook/${uuid}/deliveries`)).status, 404)
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => make(owner, { url: `https://a.example/${i}` })),
    )
    assert.ok(made.every(({ status }) => status === 200))
    assert.equal((await make(owner, { url: 'https://a.example' })).status, 409)
  })

  test('are sent a test, signed like all else, whatever they are told of', async (t) => {
    const { owner, stranger, address, tokenFor, chatbot, hook, receiver, log } = await start(t)
    const { uuid, secret } = await hook({ url: receiver.url, events: ['source.failed'] })
    const path = `/webhook/${uuid}/test`
    const { status, body: delivery } = await owner.json('POST', path)
    assert.equal(status, 200)
    const [told] = await receiver.after(1)
    assertSigned(told!, secret)
    assert.equal(told!.headers['webhook-id'], delivery.uuid)
    assert.deepEqual(told!.event, {
      type: 'webhook.test',
      timestamp: told!.event.timestamp,
      data: { uuid, chatbot_uuid: chatbot, events: ['source.failed'] },
    })
    await settledLog(() => log(uuid))
    const [logged] = await log(uuid)
    assert.deepEqual(logged, {
      ...delivery,
      status: 'delivered',
      attempts: 1,
      response_status: 200,
      next_attempt_at: null,
      modified_at: logged.modified_at,
    })

    const both = await Promise.all([owner.json('POST', path), owner.json('POST', path)])
    const ids = both.map(({ body }) => body.uuid).toSorted()
    const [, ...twice] = await receiver.after(3)
    assert.deepEqual(twice.map(({ headers }) => headers['webhook-id']).toSorted(), ids)

    assert.equal((await stranger.json('POST', path)).status, 404)
    const reader = new Client(address, (await tokenFor('owner', { scopes: ['read'] })).token)
    assert.equal((await reader.json('POST', path)).status, 403)
    await owner.json('POST', `/webhook/${uuid}/delete`)
    assert.equal((await owner.json('POST', path)).status, 404)
    assert.equal(receiver.told.length, 3)
  })

  test('are sent a test once, whatever comes of it, and the log says what', async (t) => {
    const { owner, hook, receiver, log } = await start(t, 500)
    const silent = await startSite(t, () => {})
    const outcomes = [
      [receiver.url, 500, /^The webhook responded with status 500\.$/],
      [silent, null, /^The site took too long to respond\.$/],
      ['http://10.255.255.1/', null, /private or reserved/],
    ] as const
    const outcomeOf = async ([url, answered, reason]: (typeof outcomes)[number]) => {
      const { uuid } = await hook({ url })
      assert.equal((await owner.json('POST', `/webhook/${uuid}/test`)).status, 200)
      const [logged] = await until(async () => {
        const list = await log(uuid)
        return list[0].status === 'pending' ? undefined : list
      })
      const { status, attempts, response_status, error, next_attempt_at } = logged
      assert.deepEqual(
        { status, attempts, response_status, next_attempt_at },
        { status: 'failed', attempts: 1, response_status: answered, next_attempt_at: null },
      )
      assert.match(error, reason)
    }
    await Promise.all(outcomes.map(outcomeOf))
    assert.equal(receiver.told.length, 1)
  })

  test('are sent no more tests than a person would send', async (t) => {
    const { owner, hook, receiver } = await start(t)
    const hooks = [await hook(), await hook()]
    const send = (i: number) => owner.json('POST', `/webhook/${hooks[i % 2].uuid}/test`)
    const sent = await Promise.all(Array.from({ length: 65 }, (_, i) => send(i)))
    const refused = sent.filter(({ status }) => status === 429)
    assert.equal(refused.length, 5)
    assert.ok(Number(refused[0]!.headers.get('retry-after')) > 0)
    assert.equal((await receiver.after(60)).length, 60)
  })

  test('are told of an answer that a crash interrupted', async (t) => {
    const receiver = await startReceiver(t)
    const folder = temporaryFolder(t)
    const settings = { DATA_DIR: folder, ...LOCAL, ...(await makeDatabase(t)) }
    const serve = () => startChild('apps/server/test/slow-server.ts', settings)
    const child = await serve()
    t.after(() => child.process.kill('SIGKILL'))
    const client = new Client(child.address, child.token!)
    const chatbot = await client.createChatbot()
    await client.json('POST', `/chatbot/${chatbot}/webhook/create`, { url: receiver.url })
    const response = await client.ask(await client.createSession(chatbot), 'q')
    await response.body!.getReader().read()
    await child.end('SIGKILL')
    const next = await serve()
    t.after(() => next.process.kill('SIGKILL'))
    const [told] = await receiver.after(1)
    assert.equal(told!.event.data.finish_reason, 'interrupted')
    const { error_code, error_params } = JSON.parse(told!.event.data.meta_json)
    assert.deepEqual([error_code, error_params], ['unavailable', { reason: 'interrupted' }])
    assert.equal(told!.event.data.uuid, response.headers.get('x-message-uuid'))
  })
})
