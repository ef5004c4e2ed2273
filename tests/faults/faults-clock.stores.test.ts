import assert from 'node:assert/strict'
import { renameSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Client, startSite, temporaryFolder, until } from '@docent/server/test/harness.ts'
import { serve } from '@docent/server/test/run-docent.ts'
import { makeDatabase, ONLY_POSTGRES, TEST_SERVER } from '@docent/server/test/test-database.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** With PostgreSQL, jobs are due by the clock of the database, which this test does not shift. */
const BY_ITS_CLOCK = { skip: TEST_SERVER && 'work does not wait by the clock of a node' }
const PAGE = '<title>Hours</title><p>The museum is open daily from nine to five.</p>'

/** Starts a server whose wall clock can be changed while it runs. */
async function startClocked(t: TestContext, { shiftMs = 0, store = makeDatabase(t) } = {}) {
  const folder = temporaryFolder(t)
  const file = join(folder, 'clock-shift')
  const setClock = (shiftMs: number) => {
    writeFileSync(`${file}.new`, String(shiftMs))
    renameSync(`${file}.new`, file)
  }
  setClock(shiftMs)
  const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'))
  const environment = {
    NODE_OPTIONS: `--import=${preload} --disable-warning=ExperimentalWarning`,
    CLOCK_SHIFT_FILE: file,
    ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    ...(await store),
  }
  const start = async () => {
    const child = await serve(join(folder, 'data'), environment)
    t.after(() => child.process.kill('SIGKILL'))
    return child
  }
  const child = await start()
  const client = new Client(child.address, child.token!)
  const startAgain = async () => {
    const again = await start()
    return new Client(again.address, client.token)
  }
  return { child, client, setClock, startAgain, store }
}

async function addPage(client: Client, chatbot: string, url: string, more: object = {}) {
  const path = `/chatbot/${chatbot}/data-source/url`
  return (await client.json('POST', path, { url, ...more })).body.uuid as string
}

async function ask(client: Client, session: string, query: string): Promise<number> {
  const response = await client.ask(session, query)
  await response.text()
  return response.status
}

/** Starts a site that fails temporarily, so that its source waits for a retry. */
async function startTroubledSite(t: TestContext) {
  const site = { address: '', isWell: false, asked: 0 }
  site.address = await startSite(t, (_, response) => {
    site.asked += 1
    if (site.isWell) response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    else response.writeHead(503, { 'retry-after': '5' }).end()
  })
  return site
}

async function untilItWaits(client: Client, source: string, site: { asked: number }) {
  await until(async () => {
    const { body } = await client.json('GET', `/data-source/${source}`)
    return site.asked > 0 && body.status === 'await' ? true : undefined
  })
}

suite('a clock that is put back by a day', () => {
  test('opens what it would have kept shut, and keeps the order of messages', async (t) => {
    const { client, setClock } = await startClocked(t)
    const session = await client.createSession(await client.createChatbot({ rate_limit: [2, 60] }))
    assert.equal(await ask(client, session, 'one'), 200)
    assert.equal(await ask(client, session, 'two'), 200)
    assert.equal(await ask(client, session, 'too many'), 429)

    setClock(-DAY_MS)
    assert.equal(await ask(client, session, 'three'), 200)
    assert.equal(await ask(client, session, 'four'), 200)
    const refused = await client.ask(session, 'too many again')
    assert.equal(refused.status, 429, 'the limit holds by the new clock')
    assert.ok(Number(refused.headers.get('retry-after')) <= 60)

    const messages = await client.messages(session)
    assert.deepEqual(
      messages.map(({ query }) => query),
      ['one', 'two', 'three', 'four'],
    )
    assert.ok(messages[2].created_at < messages[1].created_at, 'the clock was set back')
  })

  test('lets sources that wait have their turn when it would have been', async (t) => {
    const { client, setClock } = await startClocked(t)
    const site = await startTroubledSite(t)
    const source = await addPage(client, await client.createChatbot(), site.address)
    await untilItWaits(client, source, site)
    setClock(-DAY_MS)
    site.isWell = true
    assert.equal((await client.settled(source)).status, 'success')
  })

  test('while the server is stopped keeps no source waiting', async (t) => {
    const { child, client, setClock, startAgain } = await startClocked(t)
    const site = await startTroubledSite(t)
    const source = await addPage(client, await client.createChatbot(), site.address)
    await untilItWaits(client, source, site)
    await child.end('SIGTERM')
    setClock(-DAY_MS)
    site.isWell = true
    const again = await startAgain()
    assert.equal((await again.settled(source)).status, 'success')
  })
})

test(
  'a clock that was far ahead and is put right while the server is stopped keeps nothing from being read again',
  BY_ITS_CLOCK,
  async (t) => {
    const { child, client, setClock, startAgain } = await startClocked(t, { shiftMs: 400 * DAY_MS })
    const site = await startTroubledSite(t)
    site.isWell = true
    const chatbot = await client.createChatbot()
    const source = await addPage(client, chatbot, site.address, { refresh_hours: 1 })
    assert.equal((await client.settled(source)).status, 'success')
    let missed = 0
    const empty = await startSite(t, (_, response) => {
      missed += 1
      response.writeHead(404).end()
    })
    const failed = await addPage(client, chatbot, empty, { refresh_hours: 1 })
    assert.equal((await client.settled(failed)).status, 'error:not found')
    await child.end('SIGTERM')
    setClock(0)
    const again = await startAgain()
    await again.createPair(chatbot, 'Is it at work?', 'Yes.')
    site.asked = missed = 0
    setClock(HOUR_MS + 60_000)
    await until(() => (site.asked > 0 && missed > 0 ? true : undefined))
  },
)

suite('a clock that is put forward by a day', () => {
  test('has what is due done once, and what is in work ended well', BY_ITS_CLOCK, async (t) => {
    const { client, setClock } = await startClocked(t)
    let asked = 0
    const site = await startSite(t, (_, response) => {
      asked += 1
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE)
    })
    const held: ServerResponse[] = []
    const slow = await startSite(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Slow</title>')
      held.push(response)
    })
    const chatbot = await client.createChatbot()
    const hourly = await addPage(client, chatbot, site, { refresh_hours: 1 })
    assert.equal((await client.settled(hourly)).status, 'success')
    const inWork = await addPage(client, chatbot, slow)
    await until(() => (held.length > 0 ? true : undefined))
    assert.equal(asked, 1)

    setClock(DAY_MS)
    await until(() => (asked > 1 ? true : undefined))
    // The shifted clock ended the lease, so the job starts again.
    await until(() => (held.length > 1 ? true : undefined))
    for (const response of held) response.end(PAGE)
    assert.equal((await client.settled(inWork)).status, 'success')
    assert.equal((await client.settled(hourly)).status, 'success')
    // A new source waits until all earlier due jobs are done.
    await client.createPair(chatbot, 'Is it late?', 'By a day.')
    assert.equal(asked, 2, 'twenty-four hours were made up for by one reading')
    assert.equal(held.length, 2)
    const { body } = await client.json('POST', `/chatbot/${chatbot}/search`, {
      query: 'open daily',
    })
    assert.ok(body.some(({ text }: { text: string }) => text.includes('nine to five')))
  })

  test('opens limits and ends tokens, and back again they are what they were', async (t) => {
    const { client, setClock } = await startClocked(t)
    const created = { name: 'for a day', expires_in_days: 1 }
    const { body } = await client.json('POST', '/token/create', created)
    const short = new Client(client.base.replace('/api/v1', ''), body.token)
    const session = await client.createSession(await client.createChatbot({ rate_limit: [1, 600] }))
    assert.equal(await ask(client, session, 'one'), 200)
    assert.equal(await ask(client, session, 'too many'), 429)
    assert.equal((await short.json('GET', '/chatbots')).status, 200)

    setClock(2 * DAY_MS)
    assert.equal(await ask(client, session, 'two'), 200)
    assert.equal((await short.json('GET', '/chatbots')).status, 401)
    setClock(0)
    assert.equal((await short.json('GET', '/chatbots')).status, 200)
    assert.equal((await client.json('GET', `/session/${session}`)).status, 200)
    assert.deepEqual(
      (await client.messages(session)).map(({ query }) => query),
      ['one', 'two'],
    )
  })
})

test(
  'a node whose clock is ahead by a day takes nothing that another one holds',
  ONLY_POSTGRES,
  async (t) => {
    const { client, store } = await startClocked(t)
    const asked: number[] = []
    const slow = await startSite(t, () => asked.push(performance.now()))
    const chatbot = await client.createChatbot()
    await addPage(client, chatbot, slow)
    await until(() => asked[0])

    const { child } = await startClocked(t, { shiftMs: DAY_MS, store })
    const ahead = new Client(child.address, client.token)
    for (let i = 0; i < 5; i++) await ahead.createPair(chatbot, `Is it ${i}?`, 'By a day.')
    // The node with the lease times out after thirty seconds and retries.
    assert.ok(asked.every((at) => at === asked[0] || at - asked[0]! > 25_000))
  },
)
