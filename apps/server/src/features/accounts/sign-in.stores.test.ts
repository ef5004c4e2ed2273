import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { suite, type TestContext, test } from 'node:test'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { allRoutes } from '../../../test/routes.ts'
import { networkOf } from '../../http/guards/limit-requests.ts'
import { createUser } from './users.store.ts'

const ACCOUNT = { name: 'Ada', password: 'a long enough password' }

interface Options {
  method?: string
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
}

/** Sends the headers of a browser. `fetch` does not let a test set the host and the origin. */
async function send(address: string, path: string, options: Options = {}) {
  const { method = options.body ? 'POST' : 'GET', body, cookie, headers = {} } = options
  const outgoing = request(`${address}/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
      ...headers,
    },
  })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = await once(outgoing, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  const [setCookie] = response.headers['set-cookie'] ?? []
  return {
    status: response.statusCode as number,
    headers: response.headers,
    setCookie: setCookie as string | undefined,
    cookie: setCookie?.split(';')[0] as string | undefined,
    body: JSON.parse(text),
  }
}

function setUp({ address, services }: TestServer, options: Options = {}) {
  const body = { ...ACCOUNT, code: services.setupCode, ...(options.body as object) }
  return send(address, '/auth/setup', { ...options, body })
}

async function startWithAccount(t: TestContext) {
  const server = await startTestServer(t)
  const { cookie } = await setUp(server)
  return { ...server, cookie: cookie! }
}

suite('the first account', () => {
  test('is made once, and owns what the first token made', async (t) => {
    const server = await startTestServer(t)
    const { address, owner } = server
    const chatbot = await owner.createChatbot({ name: 'Mine' })
    assert.deepEqual((await send(address, '/auth/state')).body, {
      user: null,
      needs_account: true,
    })
    const made = await setUp(server)
    assert.equal(made.status, 200)
    assert.equal(made.body.user.name, 'Ada')
    assert.match(made.setCookie!, /^docent_sign_in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; /)
    const { body } = await send(address, '/chatbots', { cookie: made.cookie! })
    assert.equal(body[0].uuid, chatbot)
    assert.equal((await owner.json('GET', '/user')).body.name, 'Ada', 'the token still works')

    const again = await setUp(server, { body: { name: 'Eve' } })
    assert.equal(again.status, 409)
    assert.equal((await send(address, '/auth/state')).body.needs_account, false)
  })

  test('is one account even when many try at once', async (t) => {
    const server = await startTestServer(t)
    const { address } = server
    const tries = await Promise.all(
      Array.from({ length: 5 }, (_, i) => setUp(server, { body: { name: `User ${i}` } })),
    )
    assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    const signIns = await Promise.all(
      tries.map((_, i) =>
        send(address, '/auth/sign-in', { body: { ...ACCOUNT, name: `User ${i}` } }),
      ),
    )
    assert.deepEqual(
      signIns.map(({ status }) => status),
      tries.map(({ status }) => (status === 200 ? 200 : 401)),
      'only the one that was told so can sign in',
    )
  })

  for (const [who, headers] of [
    ['this machine', {}],
    ['a proxy', { 'x-forwarded-for': '203.0.113.9' }],
    ['another name that leads here', { host: 'chat.example:3000' }],
  ] as const) {
    test(`needs the printed code when it comes by ${who}`, async (t) => {
      const environment = { PUBLIC_URL: 'https://chat.example' }
      const server = await startTestServer(t, { environment })
      for (const code of ['', 'wrong', `${server.services.setupCode}x`]) {
        const refused = await setUp(server, { body: { code }, headers })
        assert.equal(refused.status, 403, code)
        assert.equal(refused.cookie, undefined)
      }
      assert.equal((await setUp(server, { headers })).status, 200)
    })
  }

  test('cannot be made by a page of another site that the owner happens to visit', async (t) => {
    const server = await startTestServer(t)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      const refused = await setUp(server, { headers })
      assert.equal(refused.status, 403, JSON.stringify(headers))
    }
    assert.equal((await send(server.address, '/auth/state')).body.needs_account, true)
  })

  test('cannot take the name of another user', async (t) => {
    const taken = await setUp(await startTestServer(t), { body: { name: 'stranger' } })
    assert.equal(taken.status, 409)
    assert.equal(taken.body.error, 'A user named "stranger" already exists.')
  })

  test('has a password of some length', async (t) => {
    const short = await setUp(await startTestServer(t), { body: { password: 'short' } })
    assert.equal(short.status, 422)
    assert.match(short.body.error, /password: must have at least 10 characters/)
  })
})

suite('signing in', () => {
  test('takes the name and the password, and says no more than that one is wrong', async (t) => {
    const { address, services } = await startWithAccount(t)
    await createUser(services.db, 'tokens only')
    const good = await send(address, '/auth/sign-in', { body: ACCOUNT })
    assert.equal(good.status, 200)
    assert.equal((await send(address, '/user', { cookie: good.cookie! })).body.name, 'Ada')
    const replies = []
    for (const body of [
      { ...ACCOUNT, password: 'not the password' },
      { ...ACCOUNT, name: 'Nobody' },
      { ...ACCOUNT, name: 'tokens only' },
    ]) {
      const { status, body: reply, cookie } = await send(address, '/auth/sign-in', { body })
      replies.push({ status, error: reply.error, cookie })
    }
    const refused = {
      status: 401,
      error: 'The username or the password is wrong.',
      cookie: undefined,
    }
    assert.deepEqual(replies, [refused, refused, refused])
  })

  test('is throttled, by name and network', async (t) => {
    const { address } = await startWithAccount(t)
    const wrong = { ...ACCOUNT, password: 'not the password' }
    const tries = await Promise.all(
      Array.from({ length: 14 }, () => send(address, '/auth/sign-in', { body: wrong })),
    )
    const refused = tries.filter(({ status }) => status === 429)
    assert.equal(refused.length, 4)
    assert.ok(Number(refused[0]!.headers['retry-after']) > 800)
    const right = await send(address, '/auth/sign-in', { body: ACCOUNT })
    assert.equal(right.status, 429, 'not even the right password gets through now')
  })

  test('gives back the try that it was, and none of the others', async (t) => {
    const { address, services } = await startWithAccount(t)
    const body = { ...ACCOUNT, code: services.setupCode }
    const post = async (path: string) => (await send(address, path, { body })).status
    // These cheap attempts count for the same network. Creating the account was the first attempt.
    for (let i = 0; i < 48; i++) assert.equal(await post('/auth/setup'), 409)
    assert.equal(await post('/auth/sign-in'), 200)
    assert.equal(await post('/auth/setup'), 409)
    for (const path of ['/auth/setup', '/auth/sign-in']) assert.equal(await post(path), 429)
  })

  test('ends when one signs out', async (t) => {
    const { address, cookie } = await startWithAccount(t)
    const out = await send(address, '/auth/sign-out', { method: 'POST', cookie })
    assert.match(out.setCookie!, /Max-Age=0/)
    const after = await send(address, '/chatbots', { cookie })
    assert.equal(after.status, 401)
    assert.equal(after.body.error, 'You are no longer signed in. Sign in again.')
    const page = { 'sec-fetch-site': 'same-origin' }
    const without = await send(address, '/chatbots', { headers: page })
    assert.deepEqual([without.status, without.body.error], [401, 'You are not signed in.'])
  })

  test('keeps neither the password nor the cookie', async (t) => {
    const { services, cookie } = await startWithAccount(t)
    const { db } = services
    const users = await db.selectFrom('users').selectAll().orderBy('id').execute()
    const signIns = await db.selectFrom('sign_ins').selectAll().execute()
    const stored = JSON.stringify([users, signIns])
    assert.ok(!stored.includes(ACCOUNT.password))
    assert.ok(!stored.includes(cookie.split('=')[1]!))
    assert.match(users[0]!.password!, /^scrypt\$32768\$8\$3\$/)
  })

  test('is marked for https where the visitor uses it', async (t) => {
    const { address } = await startWithAccount(t)
    const headers = { 'x-forwarded-proto': 'https' }
    const { setCookie } = await send(address, '/auth/sign-in', { body: ACCOUNT, headers })
    assert.match(setCookie!, /; Secure$/)
  })
})

suite('the cookie', () => {
  test('opens every door of a token, for pages of this server only', async (t) => {
    const { address, cookie } = await startWithAccount(t)
    for (const { method, path } of allRoutes.filter(({ door }) => door === 'token')) {
      const target = path.replace('{uuid}', 'unknown')
      const call = (headers: Record<string, string>) =>
        send(address, target, { method, cookie, headers })
      const own = await call({ 'sec-fetch-site': 'same-origin' })
      assert.ok(![401, 403].includes(own.status), `${method} ${path} ${own.status}`)
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site', origin: 'http://sibling.example' },
        { origin: 'https://evil.example' },
      ]) {
        assert.equal((await call(headers)).status, 403, `${method} ${path}`)
      }
    }
  })

  test('counts for nothing beside a token', async (t) => {
    const { address, cookie } = await startWithAccount(t)
    const headers = { authorization: 'Bearer docent_wrong' }
    assert.equal((await send(address, '/chatbots', { cookie, headers })).status, 401)
  })

  test('of before a new password is worth nothing, except the one that set it', async (t) => {
    const { address, cookie } = await startWithAccount(t)
    const elsewhere = (await send(address, '/auth/sign-in', { body: ACCOUNT })).cookie!
    const change = { current_password: ACCOUNT.password, new_password: 'another long password' }
    const wrong = { ...change, current_password: 'not the password' }
    const refused = await send(address, '/user/password', { cookie, body: wrong })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.details[0].type, 'not_password')
    assert.equal((await send(address, '/user/password', { cookie, body: change })).status, 200)
    assert.equal((await send(address, '/user', { cookie })).status, 200)
    assert.equal((await send(address, '/user', { cookie: elsewhere })).status, 401)
    const old = await send(address, '/auth/sign-in', { body: ACCOUNT })
    assert.deepEqual([old.status, old.body.code], [401, 'wrong_password'])
    const signIn = { ...ACCOUNT, password: change.new_password }
    assert.equal((await send(address, '/auth/sign-in', { body: signIn })).status, 200)
  })
})

suite('a token made over the interface', () => {
  test('is shown once, is listed by its beginning, and ends when it is revoked', async (t) => {
    const { owner, address } = await startTestServer(t)
    const { body } = await owner.json('POST', '/token/create', {
      name: 'website',
      scopes: ['chat'],
      expires_in_days: 30,
    })
    const headers = { authorization: `Bearer ${body.token}` }
    assert.equal((await send(address, '/chatbots', { headers })).status, 403, 'scope')
    const listed = (await owner.json('GET', '/tokens')).body.at(-1)
    assert.deepEqual(Object.keys(listed), [
      'uuid',
      'name',
      'hint',
      'scopes',
      'created_at',
      'expires_at',
      'last_used_at',
    ])
    assert.equal(listed.hint, body.token.slice(0, 11))
    await owner.json('POST', `/token/${body.uuid}/revoke`)
    assert.equal((await send(address, '/chatbots', { headers })).status, 401)
    assert.equal((await owner.json('GET', '/tokens')).body.length, 1)
  })

  test('cannot do more than the one that made it', async (t) => {
    const { owner, address } = await startTestServer(t)
    const { body } = await owner.json('POST', '/token/create', { name: 'w', scopes: ['write'] })
    const headers = { authorization: `Bearer ${body.token}` }
    const more = await send(address, '/token/create', {
      headers,
      body: { name: 'r', scopes: ['read'] },
    })
    assert.equal(more.status, 403)
    const same = await send(address, '/token/create', { headers, body: { name: 'w2' } })
    const { body: tokens } = await owner.json('GET', '/tokens')
    assert.deepEqual(tokens.find(({ uuid }: { uuid: string }) => uuid === same.body.uuid).scopes, [
      'write',
    ])
  })

  test('ends no later than the one that made it', async (t) => {
    const { owner, address, tokenFor } = await startTestServer(t)
    const end = Date.now() + 3 * 86_400_000
    const { token } = await tokenFor('owner', { expiresAt: end })
    const headers = { authorization: `Bearer ${token}` }
    const made: string[] = []
    for (const days of [{}, { expires_in_days: 30 }, { expires_in_days: 1 }]) {
      const body = { name: 'child', ...days }
      made.push((await send(address, '/token/create', { headers, body })).body.uuid)
    }
    const { body: tokens } = await owner.json('GET', '/tokens')
    const ends = made.map((id) =>
      Date.parse(tokens.find(({ uuid }: { uuid: string }) => uuid === id).expires_at),
    )
    assert.deepEqual(ends.slice(0, 2), Array(2).fill(end - (end % 1000)))
    assert.ok(ends[2]! < end)
  })
})

test('networks are told apart by what a visitor cannot change at will', () => {
  assert.equal(networkOf('203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2')
  assert.equal(networkOf('2001:db8::9'), '2001:db8:0:0')
  assert.equal(networkOf('::1'), '0:0:0:0')
})
