import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { Client, startTestServer } from '../../../test/harness.ts'
import { insertMessages } from '../../../test/insert-messages.ts'

async function visitedChatbot(t: TestContext) {
  const server = await startTestServer(t)
  const chatbot = await server.owner.createChatbot({
    visibility: 'public',
    rate_limit: [10_000, 60],
  })
  const visit = async () => {
    const nobody = new Client(server.address, '')
    const path = `/public/chatbot/${chatbot}/session`
    const { body } = await nobody.json('POST', path, { channel: 'share' })
    return {
      session: body.uuid as string,
      visitor: new Client(server.address, body.secret),
      messages: `/public/session/${body.uuid}/messages`,
      stream: `/public/session/${body.uuid}/message/stream`,
    }
  }
  return { ...server, chatbot, visit }
}

function uuidsOf(list: { uuid: string }[]): string[] {
  return list.map(({ uuid }) => uuid)
}

function nextOf(headers: Headers): string | undefined {
  return /<\/api\/v1(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
}

suite('a visitor’s session', () => {
  test('is read in pages, the newest messages first and each page in order', async (t) => {
    const { services, visit } = await visitedChatbot(t)
    const { session, visitor, messages } = await visit()
    const uuids = await insertMessages(services.db, session, 450)
    const pages: string[][] = []
    for (let path: string | undefined = messages; path !== undefined; ) {
      const { headers, body } = await visitor.json('GET', path)
      pages.unshift(uuidsOf(body))
      path = nextOf(headers)
    }
    assert.deepEqual(
      pages.map(({ length }) => length),
      [50, 200, 200],
    )
    assert.deepEqual(pages.flat(), uuids)
    const few = await visitor.json('GET', `${messages}?limit=3`)
    assert.deepEqual(uuidsOf(few.body), uuids.slice(-3))
    for (const bad of ['limit=0', 'limit=201', 'limit=x', 'before=x'])
      assert.equal((await visitor.json('GET', `${messages}?${bad}`)).status, 422, bad)
  })

  test('is read in pages of at most 256 KB', async (t) => {
    const { services, visit } = await visitedChatbot(t)
    const { session, visitor, messages } = await visit()
    const uuids = await insertMessages(services.db, session, 25, { response: 'x'.repeat(100_000) })
    const { headers, body } = await visitor.json('GET', messages)
    assert.deepEqual(uuidsOf(body), uuids.slice(-body.length))
    assert.ok(body.length === 2, `${body.length} messages`)
    assert.ok(nextOf(headers))
  })

  test('is read 60 times a minute, and others’ sessions are not held up', async (t) => {
    const { services, visit } = await visitedChatbot(t)
    const { session, visitor, messages } = await visit()
    const [message] = await insertMessages(services.db, session, 1)
    const read = (n: number) => (n % 2 ? messages : `/public/message/${message}/stream`)
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => visitor.send('GET', read(n))),
    )
    assert.ok(replies.every(({ status }) => status === 200))
    for (const n of [0, 1]) {
      const refused = await visitor.json('GET', read(n))
      assert.equal(refused.status, 429)
      assert.equal(refused.body.code, 'rate_limited')
      assert.deepEqual(refused.body.details, { limit: 'visitor_reads' })
      assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    }
    const other = await visit()
    assert.equal((await other.visitor.send('GET', other.messages)).status, 200)
  })

  test('takes 1,000 messages, also from several questions at once', async (t) => {
    const { owner, services, visit } = await visitedChatbot(t)
    const { session, visitor, stream } = await visit()
    await insertMessages(services.db, session, 996)
    const ask = (key?: string) =>
      visitor.send('POST', stream, { query: 'When?' }, key ? { 'idempotency-key': key } : {})
    const replies = await Promise.all(Array.from({ length: 9 }, (_, n) => ask(`key-${n}`)))
    const statuses = replies.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 4)
    assert.equal(statuses.filter((status) => status === 409).length, 5)
    const refused = replies.find(({ status }) => status === 409)!
    const body = (await refused.json()) as { code: string; details: unknown }
    assert.equal(body.code, 'session_full')
    assert.deepEqual(body.details, { limit: 'session_size' })
    assert.equal((await ask()).status, 409)
    const answered = statuses.indexOf(200)
    assert.equal((await ask(`key-${answered}`)).status, 200, 'the same question has its answer')
    const again = await visit()
    assert.equal((await again.visitor.send('POST', again.stream, { query: 'When?' })).status, 200)
    assert.equal(
      (await owner.ask(session, 'When?')).status,
      200,
      'an owner’s question is not bound',
    )
  })

  test('takes 4 MB', async (t) => {
    const { services, visit } = await visitedChatbot(t)
    const { session, visitor, stream } = await visit()
    await insertMessages(services.db, session, 39, { response: 'x'.repeat(100_000) })
    const ask = () => visitor.send('POST', stream, { query: 'When?' })
    assert.equal((await ask()).status, 200)
    await insertMessages(services.db, session, 1, { response: 'ä'.repeat(60_000) })
    assert.equal((await ask()).status, 409)
  })
})
