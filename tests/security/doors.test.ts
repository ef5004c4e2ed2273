import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { revokeToken } from '@docent/server/src/features/tokens/tokens.store.ts'
import { Client, startTestServer } from '@docent/server/test/harness.ts'
import { allRoutes, call, makeRecords } from '@docent/server/test/routes.ts'

// Calls every operation of the API with every wrong credential. access.test.ts covers tokens without the scope and
// uuids of other users.

const { owner, stranger, address, services, tokenFor } = await startTestServer({ after })
const mine = await makeRecords(owner, { visibility: 'public' })
const theirs = await makeRecords(stranger, { visibility: 'public' })

async function visit(chatbot: string): Promise<{ session: string; message: string; as: Client }> {
  const path = `/public/chatbot/${chatbot}/session`
  const { body } = await new Client(address, '').json('POST', path, { channel: 'share' })
  const as = new Client(address, body.secret)
  const asked = await as.send('POST', `/public/session/${body.uuid}/message/stream`, {
    query: 'When?',
  })
  await asked.text()
  return { session: body.uuid, message: asked.headers.get('x-message-uuid')!, as }
}

const visitor = await visit(mine.chatbot)
const another = await visit(mine.chatbot)
const revoked = await tokenFor('owner')
await revokeToken(services.db, revoked.id)
const expired = await tokenFor('owner', { expiresAt: Date.now() - 1 })

const KEYS: Record<string, string> = {
  'a visitor’s secret': visitor.as.token,
  'a revoked token': revoked.token,
  'an expired token': expired.token,
  'the hash of a token': 'a'.repeat(64),
  'a uuid of a token': revoked.id,
}

suite('what is behind a token does not open for', () => {
  for (const [what, key] of Object.entries(KEYS)) {
    test(what, async () => {
      for (const route of allRoutes.filter(({ door }) => door === 'token')) {
        const uuid = route.noun ? mine[route.noun] : ''
        const response = await call(new Client(address, key), route, uuid)
        await response.body?.cancel()
        assert.equal(response.status, 401, `${route.method} ${route.path}`)
      }
      for (const path of ['/v1/models', '/v1/models/x', '/v1/chat/completions']) {
        const isChat = path.endsWith('completions')
        const response = await fetch(address + path, {
          method: isChat ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(isChat && { body: JSON.stringify({ model: mine.chatbot, messages: [] }) }),
        })
        await response.body?.cancel()
        assert.equal(response.status, 401, path)
      }
    })
  }

  test('a key that stands in another place than the header', async () => {
    const places: [string, Record<string, string>][] = [
      [`?token=${owner.token}&access_token=${owner.token}&api_key=${owner.token}`, {}],
      ['', { 'x-api-key': owner.token, 'x-access-token': owner.token, token: owner.token }],
      ['', { cookie: `token=${owner.token}; docent_sign_in=${owner.token}` }],
      ['', { 'x-request-from': 'internal', 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '::1' }],
    ]
    for (const [query, headers] of places) {
      const response = await fetch(`${owner.base}/chatbots${query}`, { headers })
      assert.equal(response.status, 401)
    }
  })

  test('another spelling of an address', async () => {
    for (const path of [
      '/API/V1/chatbots',
      '/api/v1/Chatbots',
      '/api/V1/chatbots',
      '/api/v1/chatbots;x',
      '/api/v1/chatbots%2f',
      '/api/v1/public/../chatbots',
      '/api/v1/public/..%2fchatbots',
      '/api/v1/auth/state/..%2f..%2fchatbots',
      '/api/v1/chatbots/.',
      '//api/v1//chatbots',
      '/assets/console/..%2f..%2f..%2fpackage.json',
      '/assets/console/%2e%2e%2findex.html',
    ]) {
      const response = await fetch(address + path)
      assert.ok([401, 404].includes(response.status), `${path} ${response.status}`)
      await response.body?.cancel()
    }
  })
})

suite('a visitor’s secret', () => {
  const doors = allRoutes.filter(({ door }) => door === 'visitor')
  for (const route of doors) {
    const noun = route.noun ?? (route.path.includes('/session/') ? 'session' : 'message')
    const pathOf = (uuid: string) => route.path.replace('{uuid}', uuid)

    test(`reaches nothing but its own by ${route.method} ${route.path}`, async () => {
      const own = await visitor.as.send(
        route.method,
        pathOf(visitor[noun as 'session']),
        route.body,
      )
      await own.text()
      assert.equal(own.status, 200)
      const others = [
        another[noun as 'session'],
        mine[noun as 'session'],
        theirs[noun as 'session'],
      ]
      for (const uuid of [...others, mine.chatbot, '0'.repeat(32)]) {
        const reply = await visitor.as.json(route.method, pathOf(uuid), route.body)
        assert.equal(reply.status, 404, uuid)
        assert.equal(reply.body.error, `There is no such ${noun}.`)
      }
    })

    test(`has no other in its place at ${route.method} ${route.path}`, async () => {
      // The chatbot's owner fails here, too, because owners read conversations on their own routes.
      for (const client of [another.as, owner, stranger]) {
        const reply = await client.json(
          route.method,
          pathOf(visitor[noun as 'session']),
          route.body,
        )
        assert.equal(reply.status, 404)
      }
    })
  }
})
