import assert from 'node:assert/strict'
import { request } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { startTestServer, temporaryFolder } from '../../../test/harness.ts'
import { docent, serve } from '../../../test/run-docent.ts'
import { createEmptyDatabase, TEST_SERVER } from '../../../test/test-database.ts'
import { Wire } from '../../../test/wire.ts'
import { readConfig } from '../../config.ts'

interface Answer {
  status: number
  code: string | undefined
  error: string | undefined
}

/** `fetch` does not let its caller set the Host header. */
function ask(
  address: string,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address)
    const asked = request({ host: hostname, port, path, method, headers }, async (response) => {
      const text = (await response.toArray()).join('')
      const isJson = response.headers['content-type']?.startsWith('application/json')
      const { code, error } = isJson && text !== '' ? JSON.parse(text) : ({} as Partial<Answer>)
      resolve({ status: response.statusCode!, code, error })
    })
    asked.on('error', reject)
    asked.end()
  })
}

const start = (t: TestContext, environment: NodeJS.ProcessEnv = {}) =>
  startTestServer(t, { environment })

const SITES = { PUBLIC_URL: 'https://Chat.Example.org, http://bots.example.net:8080/' }

suite('a request is answered', () => {
  test('by the names of the server, however they are written', async (t) => {
    const { address } = await start(t, SITES)
    for (const host of [
      'localhost',
      'LocalHost:3000',
      'localhost.',
      '127.0.0.1:1',
      '192.0.2.9',
      '[::1]',
      '[2001:db8::1]:3000',
      '[fe80::1%25eth0]:3000',
      hostname(),
      `${hostname().toUpperCase()}:3000`,
      'chat.example.org',
      'CHAT.example.ORG.:443',
      'bots.example.net',
      'bots.example.net:9',
      '',
    ]) {
      const { status } = await ask(address, '/api/v1/auth/state', { host })
      assert.equal(status, 200, host)
    }
  })

  test('also without a name, by HTTP/1.0', async (t) => {
    const { address } = await start(t)
    const wire = await Wire.open(t, address)
    assert.equal((await wire.send('GET', '/api/v1/auth/state', { version: '1.0' })).status, 200)
  })

  test('by any name where supervisors ask', async (t) => {
    const { address } = await start(t, SITES)
    for (const path of ['/healthz', '/readyz', '/metrics', '/metrics/', '/healthz?x']) {
      assert.equal((await ask(address, path, { host: 'node-1.internal' })).status, 200, path)
    }
  })
})

suite('a request is refused', () => {
  test('by any other name, whatever it asks for, in words that name the setting', async (t) => {
    const { address, owner } = await start(t, SITES)
    const authorization = `Bearer ${owner.token}`
    for (const host of [
      'evil.example',
      'evil.example:3000',
      'chat.example.org.evil.example',
      'evil-chat.example.org',
      'example.org',
      'localhost.evil.example',
      'localhost@evil.example',
      'evil.example/localhost',
      '127.0.0.1.evil.example',
      'a b',
      '[::1].evil.example',
      'x'.repeat(5_000),
    ]) {
      const refused = await ask(address, '/api/v1/chatbots', { host, authorization })
      assert.deepEqual([refused.status, refused.code], [403, 'host_not_allowed'], host)
      assert.match(refused.error!, /PUBLIC_URL/)
      assert.ok(refused.error!.length < 500)
    }
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/v1/auth/state'],
      ['GET', '/docs'],
      ['GET', '/guide'],
      ['GET', '/nowhere'],
      ['GET', '/healthz/x'],
      ['GET', '//metrics/../api/v1/auth/state'],
      ['HEAD', '/'],
      ['OPTIONS', '/api/v1/chatbots'],
      ['DELETE', '/api/v1/chatbots'],
      ['POST', '/api/v1/chatbot/create'],
      ['POST', '/v1/chat/completions'],
      ['POST', '/mcp'],
    ] as const) {
      const { status } = await ask(address, path, { host: 'evil.example', authorization }, method)
      assert.equal(status, 403, `${method} ${path}`)
    }
    assert.deepEqual((await owner.json('GET', '/chatbots')).body, [])
  })

  test('by a foreign name in place of the path', async (t) => {
    const { address } = await start(t)
    const state = '/api/v1/auth/state'
    const statusOf = async (target: string, host: string) => {
      const wire = await Wire.open(t, address)
      wire.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      return (await wire.answer()).status
    }
    assert.equal(await statusOf(`http://evil.example${state}`, 'localhost'), 403)
    assert.equal(await statusOf(`http://localhost${state}`, 'evil.example'), 403)
    assert.equal(await statusOf(`http://localhost${state}`, 'localhost'), 200)
  })

  test('whatever a page says of proxies; and by the name that a trusted one passes on', async (t) => {
    const path = '/api/v1/auth/state'
    const trusting = await start(t, { ...SITES, TRUSTED_PROXIES: '127.0.0.1' })
    const alone = await start(t, SITES)
    for (const [host, forwarded, expected] of [
      ['evil.example', 'chat.example.org', [403, 403]],
      ['127.0.0.1', 'evil.example', [403, 200]],
      ['127.0.0.1', 'evil.example, chat.example.org', [403, 200]],
      ['127.0.0.1', 'chat.example.org', [200, 200]],
    ] as const) {
      const headers = { host, 'x-forwarded-host': forwarded }
      const statuses = [
        (await ask(trusting.address, path, headers)).status,
        (await ask(alone.address, path, headers)).status,
      ]
      assert.deepEqual(statuses, expected, `${host}, ${forwarded}`)
    }
  })
})

test('PUBLIC_URL takes addresses of sites and nothing else', (t) => {
  const DATA_DIR = temporaryFolder(t)
  const { publicUrls } = readConfig({ DATA_DIR, ...SITES })
  assert.deepEqual(publicUrls, ['https://chat.example.org', 'http://bots.example.net:8080'])
  for (const bad of ['chat.example.org', 'ftp://a.b', 'https://a.b/path', 'https://u:p@a.b', '*']) {
    assert.throws(() => readConfig({ DATA_DIR, PUBLIC_URL: bad }), /PUBLIC_URL: must be/, bad)
  }
})

suite('data of an earlier version', () => {
  async function serveEarlierData(t: TestContext, environment: NodeJS.ProcessEnv = {}) {
    const folder = temporaryFolder(t)
    const store = TEST_SERVER ? { DATABASE_URL: await createEmptyDatabase(t) } : {}
    const file = join(import.meta.dirname, '../../../test/files/data-of-0001.gz')
    const restored = await docent(folder, ['restore', file], store)
    assert.equal(restored.code, 0, restored.stderr)
    const child = await serve(folder, { ...store, LOG_LEVEL: 'warn', ...environment })
    t.after(() => child.process.kill('SIGKILL'))
    return child
  }

  test('is served by any name without PUBLIC_URL, and the log says once that this ends', async (t) => {
    const child = await serveEarlierData(t)
    let log = ''
    child.process.stderr!.on('data', (chunk) => {
      log += chunk
    })
    for (let i = 0; i < 150; i++) {
      const host = `name-${i}.example`
      for (const _ of [1, 2]) {
        assert.equal((await ask(child.address, '/api/v1/auth/state', { host })).status, 200)
      }
    }
    child.process.kill('SIGTERM')
    await new Promise((resolve) => child.process.once('exit', resolve))
    assert.equal(log.match(/"host":"name-0\.example"/g)?.length, 1)
    assert.equal(log.match(/"host":"name-/g)?.length, 100)
  })

  test('is served by its own names with PUBLIC_URL', async (t) => {
    const { address } = await serveEarlierData(t, { PUBLIC_URL: 'https://chat.example.org' })
    const state = '/api/v1/auth/state'
    assert.equal((await ask(address, state, { host: 'evil.example' })).status, 403)
    assert.equal((await ask(address, state, { host: 'chat.example.org' })).status, 200)
  })
})
