import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { suite, type TestContext, test } from 'node:test'
import { startPages } from '../../../test/crawling.ts'
import { startSite, startTestServer, until } from '../../../test/harness.ts'
import { CHROMIUM, needsChromium } from '../../../test/machine/outside-tools.ts'
import { ConnectionGuard, type GuardSettings } from './connection-guard.ts'
import { isPublicAddress } from './public-addresses.ts'

const LEADS_HERE = /points to this server/
const PRIVATE = /private or reserved/

const ownAddresses = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .filter(({ scopeid }) => !scopeid)
  .map(({ address }) => address)
const EVERYTHING = { ALLOW_PRIVATE_HOSTS: `0.0.0.0/0,::/0,localhost` }

/** Starts a server whose settings allow every address. */
async function start(t: TestContext, environment: NodeJS.ProcessEnv = {}) {
  const server = await startTestServer(t, { environment: { ...EVERYTHING, ...environment } })
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const read = async (url: string, more: object = {}) => {
    const path = `/chatbot/${chatbot}/data-source/url`
    const { body } = await owner.json('POST', path, { url, ...more })
    const source = await owner.settled(body.uuid)
    return { ...source, error: JSON.parse(source.meta_json).error }
  }
  return { ...server, chatbot, read, port: new URL(server.address).port }
}

suite('the server’s own pages are no source', () => {
  test('at its port on every address of the machine, whatever is allowed', async (t) => {
    const { read, port } = await start(t, { HOST: '0.0.0.0' })
    const hosts = [
      'localhost',
      'localhost.',
      '127.0.0.1',
      '127.9.9.9',
      '0.0.0.0',
      '127.1',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      ...ownAddresses.map((address) => (address.includes(':') ? `[${address}]` : address)),
    ]
    for (const host of hosts) {
      const { status, error } = await read(`http://${host}:${port}/metrics`)
      assert.equal(status, 'error:download', host)
      assert.match(error, LEADS_HERE, host)
    }
  })

  test('by a redirect, a page that leads on, or a link of a site that is crawled', async (t) => {
    const { read, port } = await start(t)
    const metrics = `http://127.0.0.1:${port}/metrics`
    const { origin } = await startPages(t, {
      '/redirect': { status: 302, headers: { location: metrics } },
      '/refresh': `<meta http-equiv="refresh" content="0; url=${metrics}">`,
      '/sitemap.xml': { status: 302, headers: { location: metrics } },
      '/': `<h1>Home</h1><p>It is a home.</p><a href="/redirect">metrics</a>`,
    })
    assert.match((await read(`${origin}/redirect`)).error, LEADS_HERE)
    assert.match((await read(`${origin}/refresh`)).error, LEADS_HERE)
    const site = await read(origin, { crawl: {} })
    assert.equal(site.status, 'success', site.meta_json)
    assert.doesNotMatch(site.meta_json, /metrics/)
  })

  test('by the scripts of a page', needsChromium(CHROMIUM), async (t) => {
    const { read, port, services } = await start(t, { CHROMIUM_PATH: CHROMIUM })
    const { origin } = await startPages(t, {
      '/': `<!doctype html><div id="root"></div><script src="/app.js"></script>`,
      '/app.js': {
        headers: { 'content-type': 'text/javascript' },
        body: `fetch('http://127.0.0.1:${port}/metrics').then(() => 'was read', () => 'was refused')
          .then((what) => { root.innerHTML = '<p>The page of metrics ' + what + '.</p>' })`,
      },
    })
    const source = await read(origin)
    assert.equal(source.status, 'success', source.meta_json)
    const { text } = await services.db
      .selectFrom('passages')
      .select('text')
      .where('source_id', '=', source.uuid)
      .executeTakeFirstOrThrow()
    assert.match(text, /was refused/)
  })

  test('and no webhook', async (t) => {
    const { owner, chatbot, port, services } = await start(t)
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, {
      url: `http://127.0.0.1:${port}/healthz`,
    })
    await owner.json('POST', `/webhook/${body.uuid}/test`)
    const told = await until(() =>
      services.db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('error', '!=', '')
        .executeTakeFirst(),
    )
    assert.match(told.error, LEADS_HERE)
    assert.equal(told.response_status, null)
  })

  test('where PUBLIC_URL says that people reach it, also by the address of a proxy', async (t) => {
    let visits = 0
    const proxy = createServer((_, response) => {
      visits += 1
      response.end('the console')
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    t.after(() => proxy.close())
    const { port } = proxy.address() as AddressInfo
    const { read } = await start(t, { PUBLIC_URL: `http://localhost:${port}` })
    for (const host of ['localhost', 'LOCALHOST.', '127.0.0.1', '[::ffff:127.0.0.1]']) {
      assert.match((await read(`http://${host}:${port}/`)).error, LEADS_HERE, host)
    }
    assert.equal(visits, 0)
  })
})

test('another site of this machine is read where the operator allows it by name', async (t) => {
  const site = await startSite(t, (_, response) => response.end('We open at nine.'))
  const { read, port } = await start(t, { ALLOW_PRIVATE_HOSTS: 'localhost' })
  const sitePort = new URL(site).port
  assert.equal((await read(`http://localhost:${sitePort}/`)).status, 'success')
  assert.match((await read(site)).error, PRIVATE)
  assert.match((await read(`http://localhost:${port}/`)).error, LEADS_HERE)
})

suite('an address that looks public', () => {
  const machine = () =>
    ({
      eth0: ['198.41.0.4', '2001:503:ba3e::2:30'].map((address) => ({ address })),
    }) as unknown as ReturnType<typeof networkInterfaces>
  const names: Record<string, string[]> = {
    'chat.example.org': ['198.41.0.4'],
    'chat.example.net': ['199.9.14.201'],
    'www.example.org': ['198.41.0.4'],
    'alias.example': ['198.41.0.4', '2001:503:ba3e::2:30'],
    'other.example': ['199.9.14.201'],
    'elsewhere.example': ['192.33.4.12'],
    'gone.example': [],
  }
  const publicUrls = ['https://chat.example.org', 'http://chat.example.net:8080']
  async function verdict(given: string, settings: Partial<GuardSettings> = {}) {
    const all = { allowPrivateHosts: [], port: 3000, ...settings }
    const guard = new ConnectionGuard(all, machine)
    const url = new URL(given)
    const resolve = async (name: string) => {
      const found = names[name]
      if (!found) throw new Error(`${name} is not known`)
      return found
    }
    try {
      await guard.resolveAllowed(url, { startedAt: url, resolve })
      return 'open'
    } catch (error) {
      return LEADS_HERE.test(String(error))
        ? 'own'
        : PRIVATE.test(String(error))
          ? 'private'
          : error
    }
  }
  const everything = { allowPrivateHosts: ['0.0.0.0/0', '::/0', 'alias.example'] }

  for (const [url, expected, settings] of [
    ['http://198.41.0.4/', 'private'],
    ['https://[2001:503:ba3e::2:30]/', 'private'],
    ['http://alias.example/', 'private'],
    ['http://198.41.0.4:3000/', 'own'],
    ['http://alias.example:3000/', 'own', everything],
    ['http://[::ffff:198.41.0.4]:3000/', 'own', everything],
    ['http://[2002:c629:4::]:3000/', 'own', everything],
    ['http://[64:ff9b::c629:4]:3000/', 'own', everything],
    ['http://198.41.0.4:8000/', 'open', everything],
    ['http://alias.example:8000/', 'open', { allowPrivateHosts: ['alias.example'] }],
    ['http://www.example.org:8000/', 'private', { allowPrivateHosts: ['alias.example'] }],
    ['https://chat.example.org/', 'own', { ...everything, publicUrls }],
    ['http://chat.example.org./', 'own', { ...everything, publicUrls }],
    ['https://198.41.0.4/', 'own', { ...everything, publicUrls }],
    ['https://www.example.org/', 'private', { publicUrls }],
    ['https://www.example.org/', 'open', { allowPrivateHosts: ['www.example.org'], publicUrls }],
    ['http://www.example.org/', 'open', { allowPrivateHosts: ['www.example.org'], publicUrls }],
    ['http://www.example.org/', 'private', { allowPrivateHosts: ['0.0.0.0/0'], publicUrls }],
    ['http://chat.example.net:8080/', 'own', { publicUrls }],
    ['http://chat.example.net/', 'open', { publicUrls }],
    ['http://199.9.14.201:8080/', 'own', { ...everything, publicUrls }],
    ['http://other.example:8080/', 'private', { publicUrls }],
    ['https://other.example:8080/', 'open', { publicUrls }],
    ['http://other.example/', 'open', { publicUrls }],
    ['https://elsewhere.example/', 'open', { publicUrls: ['https://unknown.example'] }],
    ['https://elsewhere.example/', 'open', { publicUrls }],
    ['https://gone.example/', 'private', { publicUrls }],
  ] as [string, string, Partial<GuardSettings>?][]) {
    test(`${url} is ${expected} with ${JSON.stringify(settings ?? {})}`, async () => {
      assert.equal(await verdict(url, settings), expected)
    })
  }

  test('is none where a cloud has a service for its machines there', () => {
    for (const address of ['168.63.129.16', '161.26.0.10', '166.9.1.1', '199.36.153.10']) {
      assert.equal(isPublicAddress(address), false, address)
    }
    for (const address of ['168.63.129.17', '161.27.0.1', '166.12.0.1', '199.36.153.12']) {
      assert.equal(isPublicAddress(address), true, address)
    }
  })
})

suite('where the name of PUBLIC_URL leads', () => {
  function open(t: TestContext, first: string[] | undefined) {
    const state = { now: 1_000_000, asked: 0, answer: first }
    t.mock.method(performance, 'now', () => state.now)
    const settings = { allowPrivateHosts: [], publicUrls: ['https://chat.example.org'] }
    const guard = new ConnectionGuard(settings, () => ({}))
    const url = new URL('https://198.41.0.4/')
    const resolve = async () => {
      state.asked += 1
      if (!state.answer) throw new Error('the name server does not answer')
      return state.answer
    }
    const isOwnAfter = async (ms: number) => {
      state.now += ms
      return guard.resolveAllowed(url, { startedAt: url, resolve }).then(
        () => false,
        (error) => LEADS_HERE.test(String(error)),
      )
    }
    return { state, isOwnAfter }
  }

  test('is kept while the name can’t be looked up, and asked for again soon', async (t) => {
    const { state, isOwnAfter } = open(t, ['198.41.0.4'])
    assert.equal(await isOwnAfter(0), true)
    assert.equal(await isOwnAfter(29_000), true)
    assert.equal(state.asked, 1)
    state.answer = undefined
    for (const asked of [2, 3]) {
      assert.equal(await isOwnAfter(2_000), true, 'what was known goes on to hold')
      assert.equal(await isOwnAfter(900), true)
      assert.equal(state.asked, asked, 'the failure is kept for a second')
    }
    state.answer = ['192.33.4.12']
    assert.equal(await isOwnAfter(200), false, 'it leads elsewhere now')
    assert.equal(await isOwnAfter(29_000), false)
    assert.equal(state.asked, 4)
  })

  test('is found a second after a first look-up that failed', async (t) => {
    const { state, isOwnAfter } = open(t, undefined)
    assert.equal(await isOwnAfter(0), false)
    state.answer = ['198.41.0.4']
    assert.equal(await isOwnAfter(900), false)
    assert.equal(state.asked, 1)
    assert.equal(await isOwnAfter(200), true)
  })
})
