import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../test/harness.ts'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { insertMessages, insertSessions } from '../../../test/insert-messages.ts'

const LONG = 'x'.repeat(100_000)

/** Opens a list without reading it. */
function openList(client: Client, path: string) {
  const headers = { authorization: `Bearer ${client.token}` }
  const request = get(client.base + path, { headers, agent: false })
  request.on('error', () => {})
  const response = once(request, 'response').then(([message]) => message as IncomingMessage)
  response.catch(() => {})
  return { request, response }
}

async function eventually(check: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (check()) return
    await sleep(25)
  }
  assert.fail(what)
}

/** A session whose messages exceed the buffers of a connection. */
async function longSession({ owner, services }: TestServer, messages = 300) {
  const chatbot = await owner.createChatbot()
  const session = await owner.createSession(chatbot)
  const uuids = await insertMessages(services.db, session, messages, { response: LONG })
  return { chatbot, session, uuids, path: `/session/${session}/messages` }
}

function uuidsOf(list: { uuid: string }[]): string[] {
  return list.map(({ uuid }) => uuid)
}

suite('a long list', () => {
  test('is complete and in order, however many rows and bytes it has', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const { chatbot, session, uuids } = await longSession(server, 45)
    assert.deepEqual(uuidsOf(await owner.messages(session)), uuids)
    const sessions = await insertSessions(services.db, chatbot, 1_001)
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/sessions`)
    assert.deepEqual(uuidsOf(body), [session, ...sessions])
    const transcript = await owner.send('GET', `/session/${session}/messages/plain-text`)
    assert.equal(transcript.headers.get('content-type'), 'text/plain; charset=utf-8')
    const turn = `User: When?\n\nAssistant: ${LONG}\n`
    assert.equal(await transcript.text(), Array(45).fill(turn).join('\n'))
    const { headers } = await owner.send('HEAD', `/chatbot/${chatbot}/sessions`)
    assert.match(headers.get('content-type')!, /^application\/json/)
  })

  test('has as many rows as were asked for, and says where more are', async (t) => {
    const server = await startTestServer(t)
    const { owner } = server
    const { session, uuids } = await longSession(server, 45)
    const first = await owner.json('GET', `/session/${session}/messages?limit=30`)
    assert.deepEqual(uuidsOf(first.body), uuids.slice(0, 30))
    const next = /<\/api\/v1(.*)>; rel="next"/.exec(first.headers.get('link')!)![1]!
    const second = await owner.json('GET', next)
    assert.deepEqual(uuidsOf(second.body), uuids.slice(30))
    assert.equal(second.headers.get('link'), null)
  })

  test('is read no faster than it is taken, and in pages of bounded size', async (t) => {
    const server = await startTestServer(t)
    const { path, uuids } = await longSession(server)
    const sizes = countPages(t, server)
    const { response } = openList(server.owner, path)
    const message = await response
    await sleep(500)
    const unread = sizes.length
    assert.ok(unread < 20, `${unread} pages were read for nobody`)
    assert.deepEqual(uuidsOf(JSON.parse(await text(message))), uuids)
    assert.ok(sizes.length >= 30, 'a page has at most 1 MB of text')
    assert.ok(Math.max(...sizes) < 1_200_000, 'a page has at most 1 MB of text')
  })

  test('runs twice at a time for an owner, ten more wait, and the next is refused', async (t) => {
    const server = await startTestServer(t)
    const { owner, stranger, services } = server
    const { path, uuids } = await longSession(server)
    const { complete } = services.lists
    // No list is read while this test runs, which may take long on a busy machine.
    services.lists.slicePatienceMs = 600_000
    const lists = Array.from({ length: 12 }, () => openList(owner, path))
    await eventually(() => complete.running === 2 && complete.waiting === 10, 'two run, ten wait')
    const refused = await owner.json('GET', path)
    assert.equal(refused.status, 429)
    assert.equal(refused.body.code, 'too_many_lists')
    assert.deepEqual(refused.body.details, { limit: 'complete_lists' })
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await owner.json('GET', '/chatbots')).status, 200, 'one page needs no place')

    const theirs = await stranger.createSession(await stranger.createChatbot())
    const ids = await insertMessages(services.db, theirs, 300)
    assert.deepEqual(uuidsOf(await stranger.messages(theirs)), ids, 'another owner has places')

    lists.at(-1)!.request.destroy()
    await eventually(() => complete.waiting === 9, 'who leaves waits no longer')
    // Read all of them together, because the order in which they run is not specified.
    const read = lists.slice(0, 11).map(async ({ response }) => text(await response))
    for (const list of await Promise.all(read)) assert.deepEqual(uuidsOf(JSON.parse(list)), uuids)
    await eventually(() => complete.running === 0 && complete.waiting === 0, 'all have ended')
  })

  test('is cut off when its reader stops reading or what it belongs to is deleted', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const { path, session } = await longSession(server)
    const reader = openList(owner, path)
    const message = await reader.response
    await owner.json('POST', `/session/${session}/delete`)
    await assert.rejects(text(message), /aborted/)

    const other = await longSession(server)
    services.lists.slicePatienceMs = 200
    const stalled = openList(owner, other.path)
    const begun = await stalled.response
    await eventually(() => services.lists.complete.running === 0, 'its place is free')
    await assert.rejects(text(begun), /aborted/)
  })
})

/** Records the text length of every page made from now on. */
function countPages(t: TestContext, { services }: TestServer): number[] {
  const { pages } = services.lists
  const sizes: number[] = []
  const run = pages.run.bind(pages)
  t.mock.method(pages, 'run', (async (owner, task, signal) => {
    const page = await run(owner, task, signal)
    sizes.push((page as { text: string }).text.length)
    return page
  }) as typeof pages.run)
  return sizes
}
