import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { startTestServer } from '../../test/harness.ts'

const { owner, address } = await startTestServer({ after })
const raw = (path: string, init: RequestInit = {}) =>
  fetch(`${owner.base}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${owner.token}`, ...init.headers },
  })

suite('a failure', () => {
  const cases: [string, string, RequestInit, number, string][] = [
    ['broken JSON', '/chatbot/create', json('{"name":'), 400, 'bad_request'],
    [
      'bytes that are no text',
      '/chatbot/create',
      json(new Uint8Array([0xff, 0xfe])),
      400,
      'bad_request',
    ],
    [
      'a body that is compressed',
      '/chatbot/create',
      {
        ...json('{}'),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      },
      415,
      'unsupported_type',
    ],
    [
      'a body of another type',
      '/chatbot/create',
      typed('text/plain', 'x'),
      415,
      'unsupported_type',
    ],
    [
      'a body too large',
      '/chatbot/create',
      json(`{"name":"${'x'.repeat(1_100_000)}"}`),
      413,
      'too_large',
    ],
    ['an unknown address', '/nothing/here', {}, 404, 'not_found'],
    ['a method that is not there', '/chatbots', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a method with a uuid', '/chatbot/x/update', { method: 'PATCH' }, 405, 'method_not_allowed'],
    ['a JSON number', '/chatbot/create', json('5'), 422, 'invalid'],
    ['JSON null', '/chatbot/create', json('null'), 422, 'invalid'],
    ['very deep JSON', '/chatbot/create', json('['.repeat(400_000)), 400, 'bad_request'],
    [
      'an infinite number',
      '/chatbot/create',
      json('{"name":"x","temperature":1e999}'),
      422,
      'invalid',
    ],
  ]
  for (const [what, path, init, status, code] of cases) {
    test(`by ${what} is ${status}, in one shape`, async () => {
      const response = await raw(path, init)
      assert.equal(response.status, status)
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      const body = (await response.json()) as Record<string, unknown>
      assert.equal(body.code, code)
      assert.equal(typeof body.error, 'string')
      assert.equal(body.request_id, response.headers.get('x-request-id'))
      assert.deepEqual(
        Object.keys(body).filter((key) => key !== 'details'),
        ['error', 'code', 'request_id'],
      )
    })
  }

  test('by fields that are not as they should be says what each should be', async () => {
    for (const [body, error] of [
      [{}, 'name: is required'],
      [{ name: '' }, 'name: must not be empty'],
      [{ name: 5 }, 'name: must be a string'],
      [{ name: 'x', temperature: 9 }, 'temperature: must be at most 2'],
      [{ name: 'x', temperature: -1 }, 'temperature: must be at least 0'],
      [{ name: 'x'.repeat(300) }, 'name: must have at most 255 characters'],
      [
        { name: 'x', rate_limit: [1, 1, 1], visibility: 'secret' },
        'rate_limit: must be two whole numbers: messages, seconds; visibility: must be one of "private", "public", "hybrid"',
      ],
    ] as const) {
      const response = await raw('/chatbot/create', json(JSON.stringify(body)))
      const said = (await response.json()) as { error: string }
      assert.equal(said.error, `Invalid input: ${error}`)
    }
  })

  test('by fields tells programs what is wrong with each, too', async () => {
    for (const [body, type, params] of [
      [{}, 'required', undefined],
      [{ name: '' }, 'empty', undefined],
      [{ name: 'x'.repeat(300) }, 'too_long', { maximum: 255 }],
      [{ name: 'a\0b' }, 'not_text', undefined],
      [{ name: 5 }, 'invalid_type', undefined],
    ] as const) {
      const response = await raw('/chatbot/create', json(JSON.stringify(body)))
      const { details } = (await response.json()) as {
        details: { type: string; params?: object }[]
      }
      assert.deepEqual([details[0]?.type, details[0]?.params], [type, params])
    }
  })

  test('says where in a list it is', async () => {
    const response = await raw('/messages/delete', json('{"uuids":["x",5]}'))
    const { details } = (await response.json()) as { details: object[] }
    assert.deepEqual(details, [
      { loc: ['body', 'uuids', 1], msg: 'must be a string', type: 'invalid_type' },
    ])
  })

  test('by a known address without its last word is a 404, whatever comes with it', async () => {
    const response = await raw('/chatbot/x/remove', { ...json(''), method: 'DELETE' })
    assert.equal(response.status, 404)
    const { code, request_id } = (await response.json()) as Record<string, string>
    assert.equal(code, 'not_found')
    assert.equal(request_id, response.headers.get('x-request-id'))
  })

  test('by the wrong method names the right ones', async () => {
    assert.equal((await raw('/chatbots', { method: 'POST' })).headers.get('allow'), 'GET, HEAD')
    assert.equal((await raw('/chatbot/x/update')).headers.get('allow'), 'POST')
  })

  test('never pollutes a prototype', async () => {
    const response = await raw(
      '/chatbot/create',
      json('{"name":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    )
    assert.equal(response.status, 200)
    assert.equal(({} as Record<string, unknown>).polluted, undefined)
  })

  test('of our own tells nothing of what is inside', async (t) => {
    const broken = await startTestServer(t)
    const session = await broken.owner.createSession(await broken.owner.createChatbot())
    await sql`DROP TABLE rate_hits`.execute(broken.services.db)
    const { status, body } = await broken.owner.json('POST', `/session/${session}/message/stream`, {
      query: 'hello',
    })
    assert.equal(status, 500)
    assert.equal(body.code, 'internal')
    assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id'])
    assert.doesNotMatch(JSON.stringify(body), /rate_hits|SQL|\.ts|\//i)
  })

  test('outside of the interface has the same shape', async () => {
    const response = await fetch(`${address}/nowhere`)
    assert.equal(response.status, 404)
    assert.equal(((await response.json()) as { code: string }).code, 'not_found')
  })
})

function json(body: string | Uint8Array<ArrayBuffer>): RequestInit {
  return typed('application/json', body)
}

function typed(type: string, body: string | Uint8Array<ArrayBuffer>): RequestInit {
  return { method: 'POST', headers: { 'content-type': type }, body }
}

test('what cannot be expected is refused with words', async (t) => {
  const server = await startTestServer(t)
  const asked = request(`${server.address}/healthz`, { headers: { expect: 'a-miracle' } }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 417)
  assert.match(await text(response), /100-continue/)
})
