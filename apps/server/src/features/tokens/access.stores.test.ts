import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SCOPES } from '@docent/contract/tokens.ts'
import { Client, readUntil, scriptedModel, startTestServer } from '../../../test/harness.ts'
import { allRoutes, call, makeRecords, openapi, type Route, routes } from '../../../test/routes.ts'
import { newId } from '../../database/rows/ids.ts'
import { revokeToken } from './tokens.store.ts'

const server = await startTestServer({ after })
const { owner, stranger, address, services, tokenFor } = server
const mine = await makeRecords(owner)
const foreign = await makeRecords(stranger)

/** Removes the values that differ from request to request. */
async function read(response: Response) {
  const { request_id, ...body } = (await response.json()) as Record<string, unknown>
  assert.equal(request_id, response.headers.get('x-request-id'))
  return { status: response.status, body }
}

test('what needs no token is signing in and what visitors reach, and nothing else', () => {
  const open = allRoutes.filter(({ door }) => door !== 'token')
  assert.deepEqual(
    open.map(({ door, method, path }) => `${door}: ${method} ${path}`),
    [
      'open: GET /auth/state',
      'open: POST /auth/setup',
      'open: POST /auth/sign-in',
      'open: POST /auth/sign-out',
      'open: GET /public/chatbot/{uuid}',
      'open: POST /public/chatbot/{uuid}/session',
      'visitor: GET /public/session/{uuid}/messages',
      'visitor: POST /public/session/{uuid}/message/stream',
      'visitor: GET /public/message/{uuid}/stream',
      'visitor: POST /public/message/{uuid}/stop',
      'visitor: POST /public/message/{uuid}/feedback',
    ],
  )
})

test('every documented operation and every additive one is in the route list', () => {
  assert.equal(routes.length, 17 + 42)
})

/** These routes return a record: with a write-only token, an empty update would be a way to read it. */
const NEED_READ_AND_WRITE = new Set([
  'POST /chatbot/create',
  'POST /chatbot/{uuid}/update',
  'POST /chatbot/{uuid}/answering',
  'POST /chatbot/{uuid}/widget/update',
  'POST /chatbot/{uuid}/data-source/url',
  'POST /chatbot/{uuid}/data-source/qa',
  'POST /chatbot/{uuid}/data-source/upload',
  'POST /data-source/{uuid}/update',
  'POST /data-source/{uuid}/url/update',
  'POST /chatbot/{uuid}/webhook/create',
  'POST /webhook/{uuid}/test',
])

function needsReadAndWrite({ method, path }: Route): boolean {
  return NEED_READ_AND_WRITE.has(`${method} ${path}`)
}

test('a token that only writes is told no more than that it succeeded, and what it gave', async () => {
  const { token } = await tokenFor('owner', { scopes: ['write'] })
  const writer = new Client(address, token)
  const { chatbot, source } = mine
  const before = (await owner.json('GET', `/chatbot/${chatbot}`)).body
  for (const [path, body] of [
    ['/chatbot/create', { name: 'Written' }],
    [`/chatbot/${chatbot}/update`, {}],
    [`/chatbot/${chatbot}/update`, { name: 'Written' }],
    [`/chatbot/${chatbot}/widget/update`, {}],
    [`/data-source/${source}/update`, { title: 'Written' }],
    [`/chatbot/${chatbot}/data-source/qa`, { question: 'Written', answer: 'Written' }],
  ] as const) {
    const { status, body: refusal } = await writer.json('POST', path, body)
    assert.deepEqual([status, refusal.error], [403, 'This token lacks the scope "read".'], path)
  }
  assert.deepEqual((await owner.json('GET', `/chatbot/${chatbot}`)).body, before)
  const chatbots = (await owner.json('GET', '/chatbots')).body
  const sources = (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body
  assert.doesNotMatch(JSON.stringify([chatbots, sources]), /Written/)
  const silent = routes.filter((route) => route.method !== 'GET' && !needsReadAndWrite(route))
  for (const route of silent) {
    const response = await call(writer, route, newId(), route.body && {})
    if (response.status === 403) {
      await response.body?.cancel()
      continue
    }
    // Routes for write-only tokens respond with success alone, or with values that are new or came in the request.
    const gives = openapi.paths[`/api/v1${route.path}`][route.method.toLowerCase()].responses['200']
    const { schema } = gives.content['application/json']
    const record = (schema.items ?? schema).$ref.split('/').at(-1)
    const fields = Object.keys(openapi.components.schemas[record].properties)
    const ok = [['success'], ['uuid', 'token'], ['uuid', 'status', 'error']]
    assert.ok(
      ok.some((known) => known.join() === fields.join()),
      `${route.path}: ${fields}`,
    )
    await response.body?.cancel()
  }
})

for (const route of routes) {
  const name = `${route.method} ${route.path}`
  const uuid = route.noun ? mine[route.noun] : ''

  suite(name, () => {
    for (const [what, headers] of [
      ['no token', {}],
      ['an empty token', { authorization: 'Bearer ' }],
      ['an unknown token', { authorization: `Bearer docent_${'x'.repeat(43)}` }],
      ['another scheme', { authorization: `Basic ${owner.token}` }],
    ] as const) {
      test(`is refused with ${what}`, async () => {
        const response = await fetch(`${owner.base}${route.path.replace('{uuid}', uuid)}`, {
          method: route.method,
          headers,
        })
        assert.equal(response.headers.get('www-authenticate'), 'Bearer')
        const { status, body } = await read(response)
        assert.equal(status, 401)
        assert.equal(body.code, 'unauthorized')
      })
    }

    test('is refused with a token that lacks its scope, and goes by one that has it', async () => {
      const statuses = []
      for (const scope of SCOPES) {
        const { token } = await tokenFor('owner', { scopes: [scope] })
        // An unknown uuid, so that nothing happens when the scope is sufficient.
        const response = await call(new Client(address, token), route, newId(), route.body && {})
        statuses.push(response.status)
        await response.body?.cancel()
      }
      const refused = statuses.filter((status) => status === 403).length
      assert.equal(refused, needsReadAndWrite(route) ? 3 : 2)
      const { token } = await tokenFor('owner', { scopes: [...SCOPES] })
      const response = await call(new Client(address, token), route, newId(), route.body && {})
      assert.ok(![401, 403].includes(response.status))
      await response.body?.cancel()
    })

    if (route.noun) {
      test('answers for a foreign uuid as for an unknown one', async () => {
        const unknown = await read(await call(owner, route, newId()))
        assert.equal(unknown.status, 404)
        assert.deepEqual(await read(await call(owner, route, foreign[route.noun!])), unknown)
        for (const odd of [
          'x',
          '%00',
          '..%2f..',
          '0'.repeat(500),
          mine[route.noun!].toUpperCase(),
        ]) {
          assert.deepEqual(await read(await call(owner, route, odd)), unknown, odd)
        }
      })
    }

    if (route.takesUuids && !route.path.includes('re-scrape')) {
      test('answers for a foreign uuid in a list as for an unknown one', async () => {
        const noun = route.path.includes('source')
          ? 'source'
          : route.path.includes('session')
            ? 'session'
            : 'message'
        const ids = { foreign: foreign[noun], unknown: newId() }
        const replies = await Promise.all(
          Object.values(ids).map(async (id) => {
            const reply = await read(await call(owner, route, '', { uuids: [mine[noun], id] }))
            return JSON.parse(JSON.stringify(reply).replaceAll(id, 'ID'))
          }),
        )
        assert.equal(replies[0].status, 422)
        assert.deepEqual(replies[0], replies[1])
      })
    }
  })
}

test('after all of that everybody’s records are as they were', async () => {
  for (const [client, records] of [
    [owner, mine],
    [stranger, foreign],
  ] as const) {
    assert.equal((await client.json('GET', `/chatbot/${records.chatbot}`)).status, 200)
    assert.equal(
      (await client.json('GET', `/data-source/${records.source}`)).body.status,
      'success',
    )
    assert.equal((await client.json('GET', `/session/${records.session}`)).status, 200)
    assert.equal((await client.json('GET', `/message/${records.message}`)).status, 200)
  }
  assert.ok(
    !(await owner.json('GET', '/chatbots')).body.some(
      ({ uuid }: { uuid: string }) => uuid === foreign.chatbot,
    ),
  )
})

test('re-scrape says the same of a foreign source as of an unknown one', async () => {
  const unknown = newId()
  const { body } = await owner.json('POST', '/data-sources/url/re-scrape', {
    uuids: [foreign.source, unknown],
  })
  assert.deepEqual(body, [
    { uuid: foreign.source, error: 'invalid data source' },
    { uuid: unknown, error: 'invalid data source' },
  ])
})

suite('a token', () => {
  test('ends at once when it is revoked', async () => {
    const { id, token } = await tokenFor('owner')
    const client = new Client(address, token)
    assert.equal((await client.json('GET', '/user')).status, 200)
    await revokeToken(services.db, id)
    const { status, body, headers } = await client.json('GET', '/user')
    assert.deepEqual([status, body.code], [401, 'unauthorized'])
    assert.match(headers.get('www-authenticate')!, /^Bearer/)
  })

  test('that is revoked ends the streams that it has opened, and no answer', async (t) => {
    const script = scriptedModel()
    const { owner, address, services, tokenFor } = await startTestServer(t, {
      models: [script.model],
    })
    const session = await owner.createSession(await owner.createChatbot())
    const { id, token } = await tokenFor('owner')
    const client = new Client(address, token)
    script.say('So far')
    const asked = await client.ask(session, 'hi')
    const uuid = asked.headers.get('x-message-uuid')!
    const follow = (by: Client, accept: string) =>
      by.send('GET', `/message/${uuid}/stream`, undefined, { accept })
    const streams = [asked, await follow(client, 'text/event-stream')]
    const kept = await follow(owner, 'text/plain')
    await revokeToken(services.db, id)
    for (const { body } of streams)
      await assert.rejects(readUntil(body!.getReader(), 'There is no such text'))
    script.say(' and on.')
    script.finish()
    assert.equal(await kept.text(), 'So far and on.')
    assert.equal((await owner.messages(session))[0].response, 'So far and on.')
  })

  test('that is revoked while a whole answer is given does not get it, by any door', async (t) => {
    const script = scriptedModel()
    const { owner, address, services, tokenFor } = await startTestServer(t, {
      models: [script.model],
    })
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const askedByTool = { name: 'ask_chatbot', arguments: { chatbot, question: 'hi' } }
    const doors: [path: string, body: object, status: number][] = [
      [`/api/v1/session/${session}/message/non-stream`, { query: 'hi' }, 401],
      [
        '/v1/chat/completions',
        { model: chatbot, messages: [{ role: 'user', content: 'hi' }] },
        401,
      ],
      ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: askedByTool }, 200],
    ]
    for (const [path, body, status] of doors) {
      const { id, token } = await tokenFor('owner')
      const asked = fetch(address + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      })
      const calls = script.calls.length
      while (script.calls.length === calls) await sleep(10)
      await revokeToken(services.db, id)
      await sleep(1_100)
      script.say('A secret.')
      script.finish()
      const answer = await asked
      assert.equal(answer.status, status, path)
      assert.match(await answer.text(), /"The token or sign-in ended during the answer\."/)
    }
    assert.equal((await owner.messages(session))[0].response, 'A secret.')
  })

  test('that is revoked before the first text of a stream gets none, also where none comes', async (t) => {
    const script = scriptedModel()
    const { owner, address, services, tokenFor } = await startTestServer(t, {
      models: [script.model],
    })
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const messages = [{ role: 'user', content: 'hi' }]
    const stream = `/api/v1/session/${session}/message/stream`
    const doors: [path: string, body: object, accept?: string][] = [
      [stream, { query: 'hi' }],
      // The server has sent the status of this stream already.
      [stream, { query: 'hi' }, 'text/event-stream'],
      ['/v1/chat/completions', { model: chatbot, messages, stream: true }],
    ]
    for (const [path, body, accept = '*/*'] of doors) {
      for (const text of ['A secret.', '']) {
        const { id, token } = await tokenFor('owner')
        const asked = fetch(address + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
          body: JSON.stringify(body),
        })
        const calls = script.calls.length
        while (script.calls.length === calls) await sleep(10)
        await revokeToken(services.db, id)
        await sleep(1_100)
        if (text === '') script.finish()
        else script.say(text)
        const answer = await asked
        assert.equal(answer.status, accept === '*/*' ? 401 : 200, path)
        const given = await answer.text()
        assert.match(given, /"The token or sign-in ended during the answer/)
        assert.doesNotMatch(given, /secret|message-end/)
        if (text !== '') script.finish()
      }
    }
    assert.equal((await owner.messages(session))[0].response, 'A secret.')
  })

  test('ends when its time is over', async () => {
    const ends = async (expiresAt: number) => {
      const { token } = await tokenFor('owner', { expiresAt })
      const { status, body } = await new Client(address, token).json('GET', '/user')
      return [status, body.code ?? body.name]
    }
    assert.deepEqual(await ends(Date.now() + 3_600_000), [200, 'owner'])
    assert.deepEqual(await ends(Date.now() - 1), [401, 'unauthorized'])
  })

  test('is stored as a hash only, and its last use is recorded', async () => {
    const { id, token } = await tokenFor('owner')
    await new Client(address, token).json('GET', '/user')
    for (let i = 0; i < 100; i++) {
      const row = await services.db
        .selectFrom('tokens')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.ok(!JSON.stringify(row).includes(token.slice(12)))
      if (row.last_used_at) return
      await sleep(10)
    }
    assert.fail('the use of the token was not recorded')
  })

  test('tells whose it is', async () => {
    const { body } = await stranger.json('GET', '/user')
    assert.deepEqual(Object.keys(body), ['uuid', 'name', 'created_at', 'modified_at'])
    assert.equal(body.name, 'stranger')
  })
})
