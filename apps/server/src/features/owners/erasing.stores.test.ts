import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import {
  Client,
  NO_MEANING,
  scriptedModel,
  startTestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import { insertMessages, insertSessions } from '../../../test/insert-messages.ts'
import { serve } from '../../../test/run-docent.ts'
import { makeDatabase } from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { BYTES_AT_ONCE, ROWS_AT_ONCE } from './erase-rows.store.ts'

type Counted = 'chatbots' | 'messages' | 'passages' | 'sessions' | 'sources' | 'users'

async function count(db: Database, table: Counted): Promise<number> {
  const counted = db.selectFrom(table).select((eb) => eb.fn.countAll().as('n'))
  return Number((await counted.executeTakeFirstOrThrow()).n)
}

/** Tracks the most rows that a single statement deletes from now on. */
function watchDeletes(t: TestContext, db: Database): { most: number } {
  const watched = { most: 0 }
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  t.mock.method(executor, 'executeQuery', (async (query) => {
    const result = await execute(query)
    if (/^\s*delete/i.test(query.sql))
      watched.most = Math.max(watched.most, Number(result.numAffectedRows ?? 0))
    return result
  }) as typeof executor.executeQuery)
  return watched
}

suite('a deleted chatbot', () => {
  test('is hidden at once with everything in it, and erased in small writes', async (t) => {
    const server = await startTestServer(t)
    const { owner, services, address } = server
    const { db } = services
    const chatbot = await owner.createChatbot({ name: 'Gone', visibility: 'public' })
    const source = await owner.createPair(chatbot, 'When?', 'Now.')
    const session = await owner.createSession(chatbot)
    const other = await owner.createSession(await owner.createChatbot({ name: 'Here' }))
    const kept = await insertMessages(db, other, 3)
    const [message] = await insertMessages(db, session, 2_000)
    await insertSessions(db, chatbot, 300)
    const hook = { url: 'https://example.org/hook', events: ['message.finished'] }
    const webhook = await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, hook)
    const opened = await owner.json('POST', `/public/chatbot/${chatbot}/session`, {
      channel: 'share',
    })
    const visitor = new Client(address, opened.body.secret)

    const watched = watchDeletes(t, db)
    assert.equal((await owner.json('DELETE', `/chatbot/${chatbot}/delete`)).status, 200)
    for (const path of [
      `/chatbot/${chatbot}`,
      `/chatbot/${chatbot}/sessions`,
      `/chatbot/${chatbot}/data-sources`,
      `/chatbot/${chatbot}/conversations/export?format=csv`,
      `/chatbot/${chatbot}/usage`,
      `/chatbot/${chatbot}/webhooks`,
      `/data-source/${source}`,
      `/data-source/${source}/passages`,
      `/session/${session}`,
      `/session/${session}/messages`,
      `/message/${message}`,
      `/webhook/${webhook.body.uuid}/deliveries`,
      `/public/chatbot/${chatbot}?channel=share`,
    ])
      assert.equal((await owner.json('GET', path)).status, 404, path)
    for (const [path, body] of [
      [`/session/${session}/message/stream`, { query: 'q' }],
      [`/chatbot/${chatbot}/update`, { name: 'Back' }],
      [`/chatbot/${chatbot}/session/create`, undefined],
      [`/data-source/${source}/update`, { title: 'Back' }],
      [`/data-source/${source}/retry`, undefined],
    ] as const)
      assert.equal((await owner.json('POST', path, body)).status, 404, path)
    for (const [path, uuid] of [
      ['/data-sources/delete', source],
      ['/sessions/delete', session],
      ['/messages/delete', message],
    ] as const)
      assert.equal((await owner.json('POST', path, { uuids: [uuid] })).status, 422, path)
    const visited = await visitor.json('GET', `/public/session/${opened.body.uuid}/messages`)
    assert.equal(visited.status, 404)
    const names = (await owner.json('GET', '/chatbots')).body.map(
      ({ name }: { name: string }) => name,
    )
    assert.deepEqual(names, ['Here'])
    const models = await fetch(`${address}/v1/models`, {
      headers: { authorization: `Bearer ${owner.token}` },
    })
    assert.equal(((await models.json()) as { data: object[] }).data.length, 1)
    assert.equal((await owner.json('DELETE', `/chatbot/${chatbot}/delete`)).status, 404)
    assert.ok((await count(db, 'messages')) > kept.length, 'most of it is still to be erased')

    await until(async () => (await count(db, 'chatbots')) === 1 || undefined)
    assert.equal(await count(db, 'messages'), kept.length)
    assert.equal(await count(db, 'sessions'), 1)
    assert.equal(await count(db, 'sources'), 0)
    assert.equal(await count(db, 'passages'), 0)
    assert.ok(watched.most > 1 && watched.most <= ROWS_AT_ONCE, `${watched.most} rows at once`)
  })

  test('whose messages are long is erased in writes of bounded size', async (t) => {
    const { owner, services } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const length = 200_000
    await insertMessages(services.db, session, 40, { response: 'x'.repeat(length) })
    const watched = watchDeletes(t, services.db)
    await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
    await until(async () => (await count(services.db, 'messages')) === 0 || undefined)
    assert.ok(watched.most <= BYTES_AT_ONCE / length, `${watched.most} messages at once`)
  })

  test('has no answer that goes on, and no source in work', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const { owner, services } = server
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    await insertMessages(services.db, session, 2_000)
    script.say('It goes on ')
    const answer = await owner.ask(session, 'When?')
    const talking = setInterval(() => script.say('and on '), 50)
    t.after(() => clearInterval(talking))
    await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
    await assert.rejects(answer.text())
    assert.equal(script.calls[0]!.aborted, true)
  })

  test('is erased to its end by the next start when the server was killed', async (t) => {
    const store = await makeDatabase(t)
    const folder = join(temporaryFolder(t), 'data')
    const first = await serve(folder, store)
    t.after(() => first.process.kill('SIGKILL'))
    const owner = new Client(first.address, first.token!)
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const config = readConfig({ DATA_DIR: folder, ...store })
    const database = await openDatabase(config)
    t.after(() => database.close())
    const { db } = database
    await insertMessages(db, session, 10_000)
    assert.equal((await owner.json('DELETE', `/chatbot/${chatbot}/delete`)).status, 200)
    await until(async () => (await count(db, 'messages')) < 10_000 || undefined)
    await first.end('SIGKILL')
    const left = await count(db, 'messages')
    assert.ok(left > 0, 'it was killed half way')

    const second = await serve(folder, store)
    t.after(() => second.end('SIGKILL'))
    const again = new Client(second.address, first.token!)
    assert.equal((await again.json('GET', `/session/${session}`)).status, 404)
    await until(async () => (await count(db, 'chatbots')) === 0 || undefined)
    assert.equal(await count(db, 'messages'), 0)
  })
})

suite('a large session', () => {
  test('is deleted in small writes', async (t) => {
    const { owner, services } = await startTestServer(t)
    const { db } = services
    const chatbot = await owner.createChatbot()
    const sessions = [await owner.createSession(chatbot), await owner.createSession(chatbot)]
    for (const session of sessions) await insertMessages(db, session, 1_500)
    const watched = watchDeletes(t, db)
    const { status } = await owner.json('POST', '/sessions/delete', { uuids: sessions })
    assert.equal(status, 200)
    assert.equal(await count(db, 'messages'), 0)
    assert.equal(await count(db, 'sessions'), 0)
    assert.ok(watched.most > 1 && watched.most <= ROWS_AT_ONCE, `${watched.most} rows at once`)
  })
})

/** Adds a source of hundreds of passages. */
async function addLargeSource(owner: Client, chatbot: string, sentences = 3_000): Promise<string> {
  const sentence = (n: number) => `Sentence ${n} is about the thing with the number ${n}. `
  const paragraphs = Array.from({ length: sentences }, (_, n) => sentence(n).repeat(8))
  const upload = await owner.upload(chatbot, 'a.txt', paragraphs.join('\n\n'))
  const { uuid } = (await upload.json()) as { uuid: string }
  await owner.settled(uuid, 120_000)
  return uuid
}

/** Calls `act` once, after the first passages were erased and before the next. */
function whileErasing(t: TestContext, db: Database, act: () => Promise<unknown>): void {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  let writes = 0
  t.mock.method(executor, 'executeQuery', (async (query) => {
    if (/^\s*delete from "passages"/i.test(query.sql) && ++writes === 2) await act()
    return execute(query)
  }) as typeof executor.executeQuery)
}

suite('a large source', () => {
  test('is deleted in small writes', async (t) => {
    const server = await startTestServer(t, { environment: NO_MEANING })
    const { owner, services } = server
    const { db } = services
    const uuid = await addLargeSource(owner, await owner.createChatbot())
    assert.ok((await count(db, 'passages')) > 2 * ROWS_AT_ONCE)
    const watched = watchDeletes(t, db)
    assert.equal((await owner.json('POST', `/data-source/${uuid}/delete`)).status, 200)
    assert.equal((await owner.json('GET', `/data-source/${uuid}`)).status, 404)
    assert.equal(await count(db, 'passages'), 0)
    assert.ok(watched.most > 1 && watched.most <= ROWS_AT_ONCE, `${watched.most} rows at once`)
  })

  test('goes with the others of its list, although another of them was deleted meanwhile', async (t) => {
    const { owner, services } = await startTestServer(t, { environment: NO_MEANING })
    const { db } = services
    const chatbot = await owner.createChatbot()
    const large = await addLargeSource(owner, chatbot, 2_000)
    const small = await owner.createPair(chatbot, 'When?', 'Now.')
    whileErasing(t, db, () => owner.json('POST', `/data-source/${small}/delete`))
    const uuids = [large, small]
    assert.equal((await owner.json('POST', '/data-sources/delete', { uuids })).status, 200)
    assert.equal(await count(db, 'sources'), 0)
  })

  test('has its passages again when its deletion fails half way', async (t) => {
    const { owner, services } = await startTestServer(t, { environment: NO_MEANING })
    const { db } = services
    const uuid = await addLargeSource(owner, await owner.createChatbot(), 2_000)
    const passages = await count(db, 'passages')
    whileErasing(t, db, async () => {
      throw new Error('the disk failed')
    })
    assert.equal((await owner.json('POST', `/data-source/${uuid}/delete`)).status, 500)
    assert.ok((await count(db, 'passages')) < passages)
    services.sourceWakeSignal.wake()
    const { status } = await owner.settled(uuid, 60_000)
    assert.equal(status, 'success')
    // The remaining old passages are erased in batches.
    await until(async () => (await count(db, 'passages')) === passages || undefined)
  })
})
