import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { suite, type TestContext, test } from 'node:test'
import type { Kysely } from 'kysely'
import { page, startCrawling } from '../../../test/crawling.ts'
import {
  Client,
  startSite,
  startTestServer,
  temporaryFolder,
  until,
} from '../../../test/harness.ts'
import { ONLY_SQLITE } from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import { up as takeUpFailed } from '../../database/migrations/0007-failed-are-read-again.ts'
import { startServer } from '../../main.ts'

const HOUR_MS = 3_600_000
const NOT_FOR_HOURS = { status: 429, headers: { 'retry-after': '43200' } }

/** A site and a server. `comeDue` acts as if the time until the next read had passed. */
async function startReading(t: TestContext, pages: Parameters<typeof startCrawling>[1]) {
  const crawling = await startCrawling(t, pages)
  const { site, services, owner } = crawling
  const rowOf = (uuid: string) =>
    services.db.selectFrom('sources').selectAll().where('id', '=', uuid).executeTakeFirstOrThrow()
  const comeDue = async (uuid: string) => {
    site.requests.length = 0
    const due = services.db.updateTable('sources').set({ due_at: 1 })
    await due.where('id', '=', uuid).execute()
    await until(async () => ((await rowOf(uuid)).due_at === 1 ? undefined : true))
    return owner.settled(uuid)
  }
  const dueIn = async (uuid: string) =>
    Math.round(((await rowOf(uuid)).due_at! - Date.now()) / HOUR_MS)
  return { ...crawling, comeDue, dueIn }
}

suite('a site that wants to be left alone for hours', () => {
  for (const [refresh_hours, retryAfter, hours] of [
    [2, '43200', 12],
    [48, '43200', 48],
    [2, '315360000', 24],
  ] as const) {
    test(`is, read every ${refresh_hours}, when it asks for ${retryAfter} seconds`, async (t) => {
      const { site, read, comeDue, dueIn } = await startReading(t, { '/': page('Home', 'Start.') })
      const { uuid } = await read('/', { refresh_hours })
      site.pages['/'] = { status: 503, headers: { 'retry-after': retryAfter } }
      assert.equal((await comeDue(uuid)).status, 'error:download')
      assert.equal(await dueIn(uuid), hours)
      site.pages['/'] = page('Home', 'Start.')
      assert.equal((await comeDue(uuid)).status, 'success')
      assert.equal(await dueIn(uuid), refresh_hours)
    })
  }

  test('is asked for no more of its pages, and none of them is lost', async (t) => {
    const paths = Array.from({ length: 9 }, (_, i) => `/${i}`)
    const { site, read, stored, comeDue, dueIn } = await startReading(t, {
      '/': page('Home', 'Start.', ...paths, '/old'),
      ...Object.fromEntries(paths.map((path) => [path, page(path, `This is ${path}.`)])),
      '/old': { status: 302, headers: { location: '/new' } },
      '/new': page('New', 'Reached by another way.'),
    })
    const { uuid } = await read('/', { crawl: {}, refresh_hours: 2 })
    const all = ['/', ...paths, '/new']
    assert.deepEqual(await stored(), all)
    const working = { ...site.pages }
    for (const path of paths.slice(3)) site.pages[path] = NOT_FOR_HOURS
    const { status, meta_json } = await comeDue(uuid)
    const asked = site.requests.filter(({ path }) => site.pages[path] === NOT_FOR_HOURS)
    assert.deepEqual([status, asked.length], ['success', 1])
    const { progress, page_errors } = JSON.parse(meta_json)
    assert.deepEqual([progress.unchanged, progress.failed], [4, 7])
    assert.match(page_errors[5].error, /limits how often it can be requested \(429\)/)
    assert.deepEqual(await stored(), all)
    assert.equal(await dueIn(uuid), 12)

    Object.assign(site.pages, working)
    assert.equal(JSON.parse((await comeDue(uuid)).meta_json).progress.unchanged, 11)
    assert.equal(await dueIn(uuid), 2)
  })
})

test(
  'a restart keeps the pause that a site asked for, and nothing longer',
  ONLY_SQLITE,
  async (t) => {
    const config = readConfig({
      DATA_DIR: temporaryFolder(t),
      PORT: '0',
      LOG_LEVEL: 'silent',
      ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    })
    let isBusy = false
    const site = await startSite(t, ({ url }, response) => {
      if (isBusy && url === '/busy') response.writeHead(503, { 'retry-after': '36000' }).end()
      else response.end('Hello.')
    })
    let server = await startServer(config)
    t.after(() => server.stop(0))
    const { firstToken } = server
    const client = () => new Client(server.address, firstToken!)
    const chatbot = await client().createChatbot()
    const add = async (path: string): Promise<string> => {
      const body = { url: site + path, refresh_hours: 2 }
      const created = await client().json('POST', `/chatbot/${chatbot}/data-source/url`, body)
      return (await client().settled(created.body.uuid)).uuid
    }
    const [busy, other] = [await add('/busy'), await add('/other')]
    const hoursTo = async (uuid: string) => {
      const { meta_json } = (await client().json('GET', `/data-source/${uuid}`)).body
      return Math.round((Date.parse(JSON.parse(meta_json).next_reading_at) - Date.now()) / HOUR_MS)
    }
    const readAgain = async () => {
      await client().json('POST', `/data-source/${busy}/retry`)
      return (await client().settled(busy)).status
    }
    /** Restarts the server with due times that a wrong clock may have written. */
    const restart = async (...uuids: string[]) => {
      const due_at = Date.now() + 1000 * HOUR_MS
      const late = server.services.db.updateTable('sources').set({ due_at })
      await late.where('id', 'in', uuids).execute()
      await server.stop(0)
      server = await startServer(config)
      await until(async () => ((await hoursTo(other)) === 2 ? true : undefined))
    }
    assert.equal(await hoursTo(busy), 2)
    isBusy = true
    assert.equal(await readAgain(), 'error:download')
    assert.equal(await hoursTo(busy), 10)
    await restart(other)
    assert.equal(await hoursTo(busy), 10)
    await restart(other, busy)
    assert.equal(await hoursTo(busy), 10)

    isBusy = false
    assert.equal(await readAgain(), 'success')
    await restart(other, busy)
    assert.equal(await hoursTo(busy), 2)
  },
)

test('a new page does not wait for all that is to be read again', async (t) => {
  const asked: { path: string; response: ServerResponse }[] = []
  let isSlow = false
  const origin = await startSite(t, ({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end()
    else if (isSlow) asked.push({ path: url!, response })
    else response.end('Hello.')
  })
  const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const { owner, services } = await startTestServer(t, { environment })
  const chatbot = await owner.createChatbot()
  const add = async (path: string): Promise<string> => {
    const body = { url: origin + path, refresh_hours: 1 }
    return (await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, body)).body.uuid
  }
  const old = await Promise.all(Array.from({ length: 8 }, (_, i) => add(`/${i}`)))
  for (const uuid of old) await owner.settled(uuid)
  isSlow = true
  await services.db.updateTable('sources').set({ due_at: 1 }).execute()
  await until(() => (asked.length === 4 ? true : undefined))
  const uuid = await add('/new')
  asked[0]!.response.end('Hello.')
  const next = await until(() => asked[4])
  assert.equal(next.path, '/new')
  isSlow = false
  for (const { response } of asked) response.end('Hello.')
  for (const one of [uuid, ...old]) assert.equal((await owner.settled(one)).status, 'success')
})

test('what an earlier version gave up after one failure is tried again', async (t) => {
  const { site, services, owner, read, dueIn } = await startReading(t, {})
  const { db } = services
  const ended = await read('/ended', { refresh_hours: 3 })
  const once = await read('/once')
  const deadly = await read('/deadly', { refresh_hours: 3 })
  assert.equal(ended.status, 'error:not found')
  const giveUp = (uuid: string, attempts: number) =>
    db.updateTable('sources').set({ attempts, due_at: null }).where('id', '=', uuid).execute()
  for (const { uuid } of [ended, once]) await giveUp(uuid, 3)
  await giveUp(deadly.uuid, 4)
  for (const path of ['/ended', '/once', '/deadly']) site.pages[path] = page('Back', 'Here again.')

  await takeUpFailed(db as unknown as Kysely<unknown>)
  await until(async () => {
    const { body } = await owner.json('GET', `/data-source/${ended.uuid}`)
    return body.status === 'success' ? true : undefined
  })
  assert.equal(await dueIn(ended.uuid), 3)
  for (const { uuid, status } of [once, deadly])
    assert.equal((await owner.json('GET', `/data-source/${uuid}`)).body.status, status)
})
