import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  Client,
  openIndex,
  startSite,
  startTestServer,
  temporaryFolder,
} from '../../test/harness.ts'
import {
  indexTable,
  makeDatabase,
  ONLY_SQLITE,
  openTestDatabase,
} from '../../test/test-database.ts'
import { readConfig } from '../config.ts'
import { newId } from '../database/rows/ids.ts'
import { PackedText } from '../database/rows/packed-text.ts'
import { createUser } from '../features/accounts/users.store.ts'
import { createChatbot } from '../features/chatbots/chatbots.store.ts'
import { createSource, type Source } from '../features/sources/sources.store.ts'
import { startServer } from '../main.ts'
import { replacePassages } from '../search/write-passages.ts'
import {
  claimSource,
  countDue,
  extendLease,
  giveUp,
  handBack,
  postpone,
  updateClaimed,
} from './claim-source.ts'

const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' }
const { owner, services } = await startTestServer({ after }, { environment })

/** A site that holds all requests until the test responds to them, in the order of their arrival. */
async function startPatientSite(t: TestContext) {
  const visits: { path: string; response: ServerResponse }[] = []
  const url = await startSite(t, (request, response) => {
    visits.push({ path: request.url!, response })
  })
  const visited = (count: number) => until(() => visits.length >= count)
  return { url, visits, visited }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 2000; i++) {
    if (await condition()) return
    await sleep(10)
  }
  throw new Error('It never came true')
}

async function createLink(client: Client, chatbot: string, url: string): Promise<string> {
  return (await client.json('POST', `/chatbot/${chatbot}/data-source/url`, { url })).body.uuid
}

async function setSource(id: string, change: Partial<Source>): Promise<void> {
  await services.db.updateTable('sources').set(change).where('id', '=', id).execute()
  services.sourceWakeSignal.wake()
}

function getSource(id: string): Promise<Source> {
  return services.db
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

async function storedTexts(source: string): Promise<string[]> {
  const rows = await services.db
    .selectFrom('passages')
    .select('text')
    .where('source_id', '=', source)
    .execute()
  return rows.map(({ text }) => text)
}

/** Counts the rows of every table that holds a source's data. */
function countRows() {
  const tables = [
    'sources',
    'source_files',
    'revisions',
    'revision_pieces',
    'passages',
    'passage_words',
    'passage_vectors',
    indexTable(services),
    'hidden_builds',
  ]
  return Promise.all(
    tables.map(async (table) => {
      const query = services.db.selectFrom(table as 'sources')
      const row = await query.select((eb) => eb.fn.countAll<number>().as('rows')).executeTakeFirst()
      return [table, row!.rows]
    }),
  )
}

/** A database without a worker. */
async function openDatabase(t: TestContext) {
  const { db } = await openTestDatabase(t, temporaryFolder(t))
  const newOwner = async (name: string) => {
    const user = await createUser(db, name)
    const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
    const meta = { question: 'q', answer: 'a' }
    return () => createSource(db, chatbot, { type: 'qa', title: 'q', meta })
  }
  return { db, newOwner }
}

describe('a source is claimed', () => {
  test('by one worker at a time, and by another when the lease has run out', async (t) => {
    const { db, newOwner } = await openDatabase(t)
    const { id } = await (await newOwner('a'))()
    const first = await claimSource(db)
    assert.equal(first?.id, id)
    assert.equal(first.status, 'extracting')
    assert.equal(first.attempts, 1)
    assert.ok(first.due_at! > Date.now())
    assert.equal(await claimSource(db), undefined)

    await db
      .updateTable('sources')
      .set({ due_at: Date.now() - 1 })
      .execute()
    const second = await claimSource(db)
    assert.equal(second?.id, id)
    assert.equal(second.attempts, 2)
    assert.notEqual(second.claim_id, first.claim_id)
  })

  test('and who has lost the claim can change nothing', async (t) => {
    const { db, newOwner } = await openDatabase(t)
    await (await newOwner('a'))()
    const stale = (await claimSource(db))!
    await db.updateTable('sources').set({ due_at: 0 }).execute()
    await claimSource(db)
    const read = () => db.selectFrom('sources').selectAll().executeTakeFirstOrThrow()
    const before = await read()
    const text = {
      title: 't',
      text: PackedText.of('old'),
      hash: 'h',
      fileSize: 3,
      tokens: 1,
      meta: {},
    }
    const passages = [{ start: 0, end: 3, lead: '', words: '\nold' }]
    assert.equal(await updateClaimed(db, stale, { status: 'chunking' }), false)
    assert.equal(await extendLease(db, stale), false)
    assert.equal(await postpone(db, stale, 1000), false)
    assert.equal(await handBack(db, stale), false)
    assert.equal(await giveUp(db, stale, 'fail', {}), false)
    assert.equal(await replacePassages(await openIndex(t, db), stale, { ...text, passages }), false)
    assert.deepEqual(await read(), before)
    assert.deepEqual(await db.selectFrom('passages').selectAll().execute(), [])
    assert.deepEqual(await db.selectFrom('revisions').selectAll().execute(), [])
  })

  test('of that owner first who has the fewest in work', async (t) => {
    const { db, newOwner } = await openDatabase(t)
    const [many, few] = [await newOwner('many'), await newOwner('few')]
    const manys = []
    for (let i = 0; i < 5; i++) manys.push((await many()).id)
    const fews = [(await few()).id, (await few()).id]
    const order = []
    for (let i = 0; i < 7; i++) order.push((await claimSource(db))!.id)
    assert.deepEqual(order, [manys[0], fews[0], manys[1], fews[1], ...manys.slice(2)])
  })
})

describe('a worker', () => {
  test('that died leaves its source to another, whatever step it was at', async () => {
    const chatbot = await owner.createChatbot()
    for (const status of ['extracting', 'chunking', 'embedding'] as const) {
      const uuid = await owner.createPair(chatbot, `At ${status}?`, 'Yes.')
      await setSource(uuid, { status, claim_id: newId(), attempts: 1, due_at: 1 })
      assert.equal((await owner.settled(uuid)).status, 'success')
      assert.equal((await getSource(uuid)).attempts, 2)
      assert.deepEqual(await storedTexts(uuid), ['Yes.'])
    }
  })

  test('leaves alone what another still holds', async () => {
    const chatbot = await owner.createChatbot()
    const uuid = await owner.createPair(chatbot, 'Held?', 'Yes.')
    const held = { status: 'chunking', claim_id: newId(), due_at: Date.now() + 60_000 } as const
    await setSource(uuid, held)
    for (const question of ['a', 'b', 'c']) await owner.createPair(chatbot, question, 'x')
    assert.equal((await getSource(uuid)).claim_id, held.claim_id)
    await owner.json('POST', `/data-source/${uuid}/delete`)
  })

  test('gives up a source that has taken it down too often, and says so', async () => {
    const uuid = await owner.createPair(await owner.createChatbot(), 'q', 'a')
    const meta = JSON.stringify({ question: 'q', answer: 'a', refresh_hours: 1 })
    await setSource(uuid, { status: 'extracting', attempts: 3, due_at: 1, meta })
    const source = await owner.settled(uuid)
    assert.equal(source.status, 'fail')
    assert.match(JSON.parse(source.meta_json).error, /gave up after 3 attempts/)
    assert.equal((await getSource(uuid)).due_at, null)
  })

  test('that is still at it keeps its source', async (t) => {
    const site = await startPatientSite(t)
    t.mock.timers.enable({ apis: ['setInterval'] })
    const uuid = await createLink(owner, await owner.createChatbot(), site.url)
    await site.visited(1)
    const soon = Date.now() + 5_000
    await setSource(uuid, { due_at: soon })
    t.mock.timers.tick(15_000)
    await until(async () => (await getSource(uuid)).due_at! > soon)
    site.visits[0]!.response.end('Hello.')
    assert.equal((await owner.settled(uuid)).status, 'success')
  })

  const takeovers = {
    'whose lease ran out': (uuid: string) => setSource(uuid, { due_at: 1 }),
    'whose source was restarted': (uuid: string) =>
      owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] }),
  }
  for (const [what, takeOver] of Object.entries(takeovers)) {
    test(`${what} can’t overwrite what came after it`, async (t) => {
      const site = await startPatientSite(t)
      const chatbot = await owner.createChatbot()
      const uuid = await createLink(owner, chatbot, site.url)
      await site.visited(1)
      await takeOver(uuid)
      await site.visited(2)
      site.visits[1]!.response.end('The new text.')
      const source = await owner.settled(uuid)
      site.visits[0]!.response.end('The old text.')
      for (const question of ['a', 'b']) await owner.createPair(chatbot, question, 'x')
      assert.deepEqual((await owner.json('GET', `/data-source/${uuid}`)).body, source)
      assert.deepEqual(await storedTexts(uuid), ['The new text.'])
    })
  }

  test('takes each of many sources once', async (t) => {
    const visits: string[] = []
    const site = await startSite(t, ({ url }, response) => {
      visits.push(url!)
      response.end('Hello.')
    })
    const chatbot = await owner.createChatbot()
    const paths = Array.from({ length: 25 }, (_, n) => `/${n}`)
    const uuids = await Promise.all(paths.map((path) => createLink(owner, chatbot, site + path)))
    for (const uuid of uuids) assert.equal((await owner.settled(uuid)).status, 'success')
    assert.deepEqual(visits.toSorted(), paths.toSorted())
  })

  test('that one owner keeps busy with slow sites has time for another, and for files', async (t) => {
    const { owner, stranger } = await startTestServer(t, { environment })
    const site = await startPatientSite(t)
    const chatbot = await owner.createChatbot()
    for (let i = 0; i < 12; i++) await createLink(owner, chatbot, `${site.url}/many`)
    await site.visited(4)
    // Places kept for newcomers stay free even while other sources wait.
    await sleep(1_500)
    assert.equal(site.visits.length, 4)
    await owner.createPair(chatbot, 'When are you open?', 'Daily.')
    const uuid = await createLink(stranger, await stranger.createChatbot(), `${site.url}/one`)
    await until(() => site.visits.some(({ path }) => path === '/one'))
    site.visits.find(({ path }) => path === '/one')!.response.end('Hello.')
    assert.equal((await stranger.settled(uuid)).status, 'success')
    assert.ok(site.visits.length < 10, 'and the others wait for their turn')
  })
})

describe('what is deleted leaves nothing', () => {
  test('of what was taken in', async () => {
    const before = await countRows()
    const chatbot = await owner.createChatbot()
    const response = await owner.upload(chatbot, 'a.txt', 'The harbour master is called Ada.')
    const { uuid: file } = (await response.json()) as { uuid: string }
    await owner.settled(file)
    const pair = await owner.createPair(chatbot, 'Who is the harbour master?', 'Ada is.')
    const session = await owner.createSession(chatbot)
    const ask = async () => (await owner.ask(session, 'Who is the harbour master?')).text()
    assert.equal(await ask(), 'Ada is.')
    for (const uuid of [pair, file]) await owner.json('POST', `/data-source/${uuid}/delete`)
    assert.match(await ask(), /did not find/)
    assert.deepEqual(await countRows(), before)
  })

  const deletions = {
    'a source': (owner: Client, source: string) =>
      owner.json('POST', `/data-source/${source}/delete`),
    'a chatbot': (owner: Client, _: string, chatbot: string) =>
      owner.json('DELETE', `/chatbot/${chatbot}/delete`),
  }
  for (const [what, remove] of Object.entries(deletions)) {
    test(`of ${what} that is being taken in`, async (t) => {
      const other = await owner.createChatbot()
      await owner.createPair(other, 'q', 'a')
      const before = await countRows()
      const site = await startPatientSite(t)
      const chatbot = await owner.createChatbot()
      const uuid = await createLink(owner, chatbot, site.url)
      await site.visited(1)
      assert.equal((await remove(owner, uuid, chatbot)).status, 200)
      site.visits[0]!.response.end('Hello.')
      // Sources are read one at a time, so the page has been read when the pair is done.
      const pair = await owner.createPair(other, 'q', 'a')
      await owner.json('POST', `/data-source/${pair}/delete`)
      await until(async () => isDeepStrictEqual(await countRows(), before))
    })
  }

  test('at whatever moment it goes', async () => {
    const before = await countRows()
    const chatbot = await owner.createChatbot()
    await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const response = await owner.upload(chatbot, 'a.txt', 'Some words. '.repeat(100))
        const { uuid } = (await response.json()) as { uuid: string }
        await sleep(n * 5)
        await owner.json('POST', `/data-source/${uuid}/delete`)
      }),
    )
    const last = await owner.createPair(chatbot, 'q', 'a')
    await owner.json('POST', `/data-source/${last}/delete`)
    assert.deepEqual(await countRows(), before)
  })
})

describe('a restart', () => {
  const configure = async (t: TestContext) =>
    readConfig({
      DATA_DIR: temporaryFolder(t),
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...(await makeDatabase(t)),
      ...environment,
    })

  test('loses no source and holds no stop against it', async (t) => {
    const config = await configure(t)
    const first = await startServer(config)
    const before = new Client(first.address, first.firstToken!)
    const site = await startPatientSite(t)
    const chatbot = await before.createChatbot()
    const uuids: string[] = []
    for (let i = 0; i < 6; i++) uuids.push(await createLink(before, chatbot, site.url))
    const response = await before.upload(chatbot, 'a.txt', 'Hello.')
    uuids.push(((await response.json()) as { uuid: string }).uuid)
    await site.visited(4)
    await first.stop(0)
    // Restarts more often than a source has attempts, each time with four sources in work.
    for (const visits of [8, 12, 16]) {
      const server = await startServer(config)
      await site.visited(visits)
      await server.stop(0)
    }

    const last = await startServer(config)
    t.after(() => last.stop(0))
    await until(async () => {
      for (const { response } of site.visits) if (!response.writableEnded) response.end('Hello.')
      return (await countDue(last.services.db)) === 0
    })
    const sources = await last.services.db.selectFrom('sources').selectAll().orderBy('id').execute()
    assert.deepEqual(
      sources.map(({ id, status, attempts }) => [id, status, attempts]),
      uuids.map((uuid) => [uuid, 'success', 1]),
    )
  })

  test('takes up at once what a killed process held', ONLY_SQLITE, async (t) => {
    const config = await configure(t)
    const first = await startServer(config)
    const client = new Client(first.address, first.firstToken!)
    const uuid = await client.createPair(await client.createChatbot(), 'q', 'a')
    await first.stop(0)
    const file = new DatabaseSync(join(config.dataDir, 'docent.db'))
    file
      .prepare('UPDATE sources SET status = ?, claim_id = ?, due_at = ?')
      .run('embedding', newId(), Date.now() + 3_600_000)
    file.close()

    const second = await startServer(config)
    t.after(() => second.stop(0))
    const source = await new Client(second.address, client.token).settled(uuid)
    assert.equal(source.status, 'success')
  })
})
