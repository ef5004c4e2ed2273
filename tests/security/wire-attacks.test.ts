import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { Wire } from '@docent/server/test/wire.ts'

// Requests that a proxy and the server could parse differently, and requests of excessive size.

const { owner, address } = await startTestServer({ after })
const AUTHORIZED = `Authorization: Bearer ${owner.token}`
const SMUGGLED = 'GET /api/v1/chatbots HTTP/1.1\r\nHost: localhost\r\n\r\n'

suite('a request that says two things about its length is refused, and nothing after it is read', () => {
  const cases: Record<string, string[]> = {
    'a length and chunks': ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    'two lengths': ['Content-Length: 5', 'Content-Length: 6'],
    'a list of lengths': ['Content-Length: 5, 6'],
    'a length with a sign': ['Content-Length: +5'],
    'a negative length': ['Content-Length: -1'],
    'a length in hexadecimal digits': ['Content-Length: 0x5'],
    'chunks under another name': ['Transfer-Encoding: xchunked'],
    'chunks that are not the last encoding': ['Transfer-Encoding: chunked, identity'],
    'a space before the colon': ['Content-Length : 5'],
    'a folded header': ['X-A: b', ' Transfer-Encoding: chunked'],
    'a name that is none': ['Content Length: 5'],
    'a NUL in a header': ['X-A: \0'],
  }
  for (const [what, headers] of Object.entries(cases)) {
    test(what, async (t) => {
      const wire = await Wire.open(t, address)
      wire.write(
        `POST /api/v1/chatbot/create HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZED}\r\n${headers.join('\r\n')}\r\n\r\n0\r\n\r\n${SMUGGLED}`,
      )
      assert.equal((await wire.answer()).status, 400)
      assert.equal(await wire.ended(), '')
    })
  }

  test('a chunk that is longer than it says', async (t) => {
    const wire = await Wire.open(t, address)
    wire.write(
      `POST /api/v1/chatbot/create HTTP/1.1\r\nHost: localhost\r\n${AUTHORIZED}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{"name":"x"}\r\n0\r\n\r\n${SMUGGLED}`,
    )
    assert.equal((await wire.answer()).status, 400)
    assert.equal(await wire.ended(), '')
  })
})

suite('a request that is only large', () => {
  for (const [what, path, headers] of [
    ['by its address', `/${'a'.repeat(20_000)}`, []],
    ['by one header', '/healthz', [`X-A: ${'a'.repeat(20_000)}`]],
    ['by many headers', '/healthz', Array.from({ length: 3_000 }, (_, i) => `X-${i}: a`)],
    ['by its cookies', '/healthz', [`Cookie: ${'a=b; '.repeat(4_000)}`]],
    ['by its token', '/api/v1/chatbots', [`Authorization: Bearer ${'a'.repeat(20_000)}`]],
  ] as const) {
    test(`${what} is refused`, async (t) => {
      const wire = await Wire.open(t, address)
      const { status, body } = await wire.send('GET', path, { headers: [...headers] })
      assert.equal(status, 431)
      assert.equal(JSON.parse(body).code, 'too_large')
    })
  }

  test('by its query string, within what headers may be, is answered', async () => {
    const response = await owner.send('GET', `/chatbots?${'limit=1&'.repeat(1_500)}`)
    assert.equal(response.status, 422)
  })

  test('by the depth of its JSON changes nothing and stays an answer', async () => {
    for (const depth of [1_000, 100_000]) {
      const deep = `{"name":"x","a":${'['.repeat(depth)}${']'.repeat(depth)}}`
      const response = await fetch(`${owner.base}/chatbot/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: deep,
      })
      assert.ok([200, 400].includes(response.status), String(response.status))
      await response.text()
    }
  })

  test('by the length of a list is refused in a few words, without a look at each entry', async () => {
    const ones = Array(400_000).fill(1)
    const wrong = [
      ['/token/create', { name: 'x', scopes: ones }, 'scopes'],
      ['/messages/delete', { uuids: ones }, 'uuids'],
      ['/chatbot/create', { name: 'x', settings: { nested: [ones] } }, 'settings.nested.0'],
      ['/chatbot/create', ones, 'the body'],
    ] as const
    for (const [path, body, where] of wrong) {
      const reply = await owner.json('POST', path, body)
      assert.equal(reply.status, 422)
      assert.equal(reply.body.error, `Invalid input: ${where}: must have at most 2,000 entries`)
    }
    const some = await owner.json('POST', '/messages/delete', { uuids: ones.slice(0, 2_000) })
    assert.equal(some.status, 422)
    assert.equal(some.body.details.length, 100)
    const v1 = await fetch(`${new URL(owner.base).origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'x', messages: [{ role: 'user', content: ones }] }),
    })
    assert.equal(v1.status, 422)
    assert.ok((await v1.text()).length < 1_000)
  })
})

suite('a method that nobody needs', () => {
  for (const method of ['TRACE', 'TRACK', 'CONNECT', 'PUT', 'PATCH', 'PROPFIND', 'DEBUG']) {
    test(`${method} gets no echo and does nothing`, async (t) => {
      const wire = await Wire.open(t, address)
      const secret = 'X-Secret: do-not-echo'
      wire.request(method, method === 'CONNECT' ? 'localhost:1' : '/api/v1/chatbots', {
        headers: [AUTHORIZED, secret, 'Connection: close'],
      })
      const received = await wire.ended()
      assert.doesNotMatch(received, /do-not-echo|docent_/)
      assert.doesNotMatch(received, /^HTTP\/1\.1 2/)
    })
  }
})

test('of a stranger, no more is held than what he can have to say', async (t) => {
  for (const [path, most] of [
    ['/auth/sign-in', 16_384],
    ['/auth/setup', 16_384],
    [`/public/chatbot/${'0'.repeat(32)}/session`, 262_144],
  ] as const) {
    const wire = await Wire.open(t, address)
    const { status } = await wire.send('POST', `/api/v1${path}`, {
      headers: ['Content-Type: application/json', `Content-Length: ${most + 1}`],
    })
    assert.equal(status, 413, path)
  }
})

test('the first account is not made through a proxy that looks like this machine', async (t) => {
  // By default, nginx sends its own host name to the server and no header about the client.
  for (const version of ['1.0', '1.1'] as const) {
    const wire = await Wire.open(t, address)
    const { status } = await wire.send('POST', '/api/v1/auth/setup', {
      version,
      headers: [
        ...(version === '1.0' ? ['Host: localhost'] : []),
        'Content-Type: application/json',
      ],
      body: '{"name":"Eve","password":"correct horse battery","code":""}',
    })
    assert.equal(status, 403, version)
  }
})

test('a reply never has a line that the request put into it', async (t) => {
  const wire = await Wire.open(t, address)
  const injected = '%0d%0aSet-Cookie:%20stolen=1%0d%0a'
  for (const path of [
    `/api/v1/chatbots?limit=1&x=${injected}`,
    `/api/v1/chatbot/${injected}`,
    `/${injected}`,
    `/docs${injected}`,
    `/c/${injected}`,
  ]) {
    const { headers } = await wire.send('GET', path, { headers: [AUTHORIZED] })
    assert.equal(headers['set-cookie'], undefined, path)
  }
})
