import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import {
  Client,
  readUntil,
  scriptedModel,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'
import { allRoutes } from '../../../test/routes.ts'
import { newId } from '../../database/rows/ids.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { updateWidgetSettings } from '../widgets/widgets.store.ts'

const ELSEWHERE = 'https://site.example'

/** Acts like a visitor's page, with the secret of its session. */
class Visitor extends Client {
  readonly session: string

  constructor(address: string, { uuid, secret }: { uuid: string; secret: string }) {
    super(address, secret)
    this.session = uuid
  }

  say(query: string, headers?: Record<string, string>) {
    return this.send('POST', `/public/session/${this.session}/message/stream`, { query }, headers)
  }

  async visited() {
    return this.json('GET', `/public/session/${this.session}/messages`)
  }
}

async function open(
  { address }: TestServer,
  chatbot: string,
  channel: 'share' | 'widget' = 'share',
  headers: Record<string, string> = {},
) {
  const nobody = new Client(address, '')
  const response = await nobody.send(
    'POST',
    `/public/chatbot/${chatbot}/session`,
    { channel },
    headers,
  )
  return {
    status: response.status,
    body: (await response.json()) as { uuid: string; secret: string },
  }
}

async function visit(server: TestServer, chatbot: string, channel?: 'share' | 'widget') {
  return new Visitor(server.address, (await open(server, chatbot, channel)).body)
}

async function publicChatbot(t: TestContext, settings: object = {}) {
  const server = await startTestServer(t)
  const chatbot = await server.owner.createChatbot({
    visibility: 'public',
    show_citations: true,
    ...settings,
  })
  await server.owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
  return { server, chatbot }
}

suite('a visitor', () => {
  test('asks, reads the answer with its citation, rates it, and sees nothing more', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    const visitor = await visit(server, chatbot)
    const answer = await visitor.say('When are you open?')
    assert.equal(await answer.text(), 'Daily from 9 to 17. [1.1]')
    const uuid = answer.headers.get('x-message-uuid')
    await visitor.json('POST', `/public/message/${uuid}/feedback`, { rating: 'up' })
    const { body } = await visitor.visited()
    assert.deepEqual(Object.keys(body[0]), [
      'uuid',
      'query',
      'response',
      'finish_reason',
      'error_message',
      'citations',
      'rating',
      'created_at',
    ])
    assert.equal(body[0].rating, 'up')
    assert.deepEqual(body[0].citations, {
      '1.1': { title: 'When are you open?', text: 'Daily from 9 to 17.', url: null, page: null },
    })
    const again = await visitor.send('GET', `/public/message/${uuid}/stream?offset=6`)
    assert.equal(await again.text(), 'from 9 to 17. [1.1]')
  })

  test('never reaches another visitor’s conversation, nor the owner’s', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    const [one, other] = [await visit(server, chatbot), await visit(server, chatbot)]
    const theirs = (await other.say('Secret?')).headers.get('x-message-uuid')!
    const owners = await server.owner.createSession(chatbot)
    const ownersMessage = (await server.owner.ask(owners, 'q')).headers.get('x-message-uuid')!
    const ids = {
      session: [other.session, owners, newId(), 'x'],
      message: [theirs, ownersMessage, newId(), 'x'],
    }
    for (const route of allRoutes.filter(({ door }) => door === 'visitor')) {
      const noun = route.path.includes('/session/') ? 'session' : 'message'
      const replies = []
      for (const uuid of ids[noun]) {
        const path = route.path.replace('{uuid}', uuid)
        const { status, body } = await one.json(route.method, path, route.body)
        replies.push({ status, error: body.error })
        const noSecret = await fetch(one.base + path, { method: route.method })
        assert.equal(noSecret.status, 401, path)
        const byToken = await server.owner.json(route.method, path, route.body)
        assert.equal(byToken.status, 404, 'a token is no visitor’s secret')
      }
      assert.equal(replies[0]!.status, 404, route.path)
      for (const reply of replies) assert.deepEqual(reply, replies[0], route.path)
    }
    for (const { method, path } of allRoutes.filter(({ door }) => door === 'token')) {
      const response = await one.send(method, path.replace('{uuid}', one.session))
      assert.equal(response.status, 401, 'a visitor’s secret is no token')
    }
  })

  for (const [visibility, share, widget] of [
    ['private', 404, 404],
    ['hybrid', 404, 200],
    ['public', 200, 200],
  ] as const) {
    test(`of a ${visibility} chatbot gets ${share} on the share page and ${widget} in the widget`, async (t) => {
      const { server, chatbot } = await publicChatbot(t, { visibility })
      for (const [channel, expected] of [
        ['share', share],
        ['widget', widget],
      ] as const) {
        const nobody = new Client(server.address, '')
        const look = await nobody.json('GET', `/public/chatbot/${chatbot}?channel=${channel}`)
        assert.equal(look.status, expected)
        assert.equal((await open(server, chatbot, channel)).status, expected)
        const page = await fetch(
          `${server.address}/${channel === 'share' ? 'c' : 'widget'}/${chatbot}`,
        )
        assert.equal(page.status, expected)
      }
    })
  }

  test('is out at once when the chatbot becomes private', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    const visitor = await visit(server, chatbot)
    const uuid = (await visitor.say('When are you open?')).headers.get('x-message-uuid')
    await server.owner.json('POST', `/chatbot/${chatbot}/update`, { visibility: 'private' })
    assert.equal((await visitor.visited()).status, 404)
    assert.equal((await visitor.say('Still there?')).status, 404)
    assert.equal((await visitor.send('GET', `/public/message/${uuid}/stream`)).status, 404)
  })

  test('is told that an answer failed, and not by whose fault', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const chatbot = await server.owner.createChatbot({ visibility: 'public' })
    const visitor = await visit(server, chatbot)
    const told = 'The chatbot could not answer. Try again later.'
    script.fail('OpenAI refused the key sk-1')
    const plain = await visitor.say('When?')
    assert.equal(plain.status, 502)
    assert.equal(((await plain.json()) as { error: string }).error, told)
    script.fail('OpenAI refused the key sk-1')
    const events = await (await visitor.say('When?', { accept: 'text/event-stream' })).text()
    assert.match(events, new RegExp(`"error":"${told}"`))
    const { body } = await visitor.visited()
    for (const message of body) assert.equal(message.error_message, told)
    assert.doesNotMatch(events + JSON.stringify(body), /OpenAI|sk-1|scripted/)
  })

  test('stops an answer for real', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const chatbot = await server.owner.createChatbot({ visibility: 'public' })
    const visitor = await visit(server, chatbot)
    script.say('One moment')
    const answer = await visitor.say('q', { accept: 'text/event-stream' })
    await readUntil(answer.body!.getReader(), 'moment')
    await visitor.json('POST', `/public/message/${answer.headers.get('x-message-uuid')}/stop`)
    assert.equal(script.calls[0]!.aborted, true)
    assert.equal((await visitor.visited()).body[0].finish_reason, 'cancelled')
  })

  test('is limited by session and by network, with the chatbot’s message', async (t) => {
    const { server, chatbot } = await publicChatbot(t, {
      rate_limit: [3, 3600],
      rate_limit_message: 'Come back later.',
    })
    const visitors = [await visit(server, chatbot), await visit(server, chatbot)]
    const statuses = []
    for (const visitor of [...visitors, ...visitors]) statuses.push((await visitor.say('q')).status)
    assert.deepEqual(statuses, [200, 200, 200, 429], 'a new session does not get around it')
    const refused = await visitors[0]!.json(
      'POST',
      `/public/session/${visitors[0]!.session}/message/stream`,
      { query: 'q' },
    )
    assert.equal(refused.body.error, 'Come back later.')
    assert.ok(Number(refused.headers.get('retry-after')) > 3_500)
    assert.equal((await visitors[1]!.visited()).body.length, 1, 'nothing is stored over it')
    const session = await server.owner.createSession(chatbot)
    assert.equal((await server.owner.ask(session, 'q')).status, 200, 'the owner is counted apart')
  })
})

test('a database that fails is not taken for a chatbot or a message that is not there', async (t) => {
  const { server, chatbot } = await publicChatbot(t)
  const visitor = await visit(server, chatbot)
  const answer = await visitor.say('When are you open?')
  await answer.text()
  const message = answer.headers.get('x-message-uuid')!
  const { db } = server.services
  await sql`ALTER TABLE visitors RENAME TO elsewhere`.execute(db)
  assert.equal((await visitor.send('GET', `/public/message/${message}/stream`)).status, 500)
  await sql`ALTER TABLE elsewhere RENAME TO visitors`.execute(db)
  await sql`ALTER TABLE chatbots RENAME TO elsewhere`.execute(db)
  for (const path of [`/c/${chatbot}`, `/widget/${chatbot}`])
    assert.equal((await fetch(server.address + path)).status, 500)
})

test('of one network as many sessions are opened in an hour as questions may be asked', async (t) => {
  const settings = { rate_limit: [61, 1800], rate_limit_message: 'Slowly!' }
  const { server, chatbot } = await publicChatbot(t, settings)
  const opened = []
  for (let i = 0; i < 123; i++) opened.push(await open(server, chatbot))
  assert.deepEqual([...new Set(opened.slice(0, 122).map(({ status }) => status))], [200])
  const { status, body } = opened[122]!
  assert.equal(status, 429)
  assert.equal((body as unknown as { error: string }).error, 'Slowly!')
  await server.owner.json('POST', `/chatbot/${chatbot}/update`, { rate_limit_message: ' ' })
  const refused = (await open(server, chatbot)).body as unknown as { error: string }
  assert.equal(refused.error, 'Too many messages')
})

suite('the look of a chatbot', () => {
  test('is kept apart from its record, and changed field by field', async (t) => {
    const { server, chatbot } = await publicChatbot(t, { name: 'Museum' })
    const { owner } = server
    await owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      color: '#AA0000',
      title: 'Ask us',
    })
    await owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      greeting: 'Welcome!',
      suggested_questions: ['When are you open?'],
    })
    const nobody = new Client(server.address, '')
    const { body } = await nobody.json('GET', `/public/chatbot/${chatbot}?channel=share`)
    assert.deepEqual(body, {
      uuid: chatbot,
      color: '#AA0000',
      theme: 'auto',
      position: 'right',
      greeting: 'Welcome!',
      suggested_questions: ['When are you open?'],
      title: 'Ask us',
    })
    await owner.json('POST', `/chatbot/${chatbot}/widget/update`, { title: '' })
    const named = await nobody.json('GET', `/public/chatbot/${chatbot}?channel=widget`)
    assert.equal(named.body.title, 'Museum')
  })

  test('takes every change of those that are made at once', async (t) => {
    const { owner } = await startTestServer(t)
    const changes = [{ color: '#AA0000' }, { title: 'Ask' }, { theme: 'dark' }, { greeting: 'Hi' }]
    for (const chatbot of [await owner.createChatbot(), await owner.createChatbot()]) {
      const change = (body: object) => owner.json('POST', `/chatbot/${chatbot}/widget/update`, body)
      await Promise.all(changes.map(change))
      const { body } = await change({})
      for (const [name, value] of changes.flatMap(Object.entries)) assert.equal(body[name], value)
    }
  })

  test('of a chatbot that is being deleted is not found', async (t) => {
    const { owner, services } = await startTestServer(t)
    const { uuid } = (await owner.json('GET', '/user')).body
    const id = await owner.createChatbot()
    const chatbot = await getOwnedChatbot(services.db, uuid, id)
    await owner.json('DELETE', `/chatbot/${id}/delete`)
    const late = updateWidgetSettings(services.db, chatbot, { title: 'Late' })
    await assert.rejects(late, { code: 'not_found' })
  })

  test('refuses what is no origin or no colour', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    const before = (await server.owner.json('GET', `/chatbot/${chatbot}/widget`)).body
    for (const bad of [
      { color: 'red' },
      { color: '#fff; background: url(x)' },
      { allowed_origins: ['javascript:alert(1)'] },
      { allowed_origins: ["https://x.example 'unsafe-inline'"] },
      { allowed_origins: ['https://x.example; script-src *'] },
      { position: 'top' },
      { suggested_questions: Array(7).fill('Why?') },
    ]) {
      const change = { greeting: 'Hello', ...bad }
      const path = `/chatbot/${chatbot}/widget/update`
      const { status, body } = await server.owner.json('POST', path, change)
      assert.equal(status, 422, JSON.stringify(bad))
      assert.equal(body.details[0].loc[1], Object.keys(bad)[0])
    }
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}/widget`)
    assert.deepEqual(body, before, 'nothing of what was refused is stored')
  })
})

suite('the list of allowed origins', () => {
  test('decides whose pages reach the chatbot, and which may frame the widget', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    const nobody = new Client(server.address, '')
    const look = async (channel: string, origin: string) =>
      (
        await nobody.send('GET', `/public/chatbot/${chatbot}?channel=${channel}`, undefined, {
          origin,
        })
      ).status
    const ancestors = async () =>
      /frame-ancestors (.*)$/.exec(
        (await fetch(`${server.address}/widget/${chatbot}`)).headers.get(
          'content-security-policy',
        )!,
      )![1]

    assert.equal(await look('widget', ELSEWHERE), 200, 'an empty list allows any')
    assert.equal(await ancestors(), "'self' * file:")
    assert.equal(await look('share', ELSEWHERE), 403, 'the share page is ours alone')

    await server.owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      allowed_origins: ['site.example/some/page', 'http://localhost:8080'],
    })
    assert.equal(await ancestors(), "'self' https://site.example http://localhost:8080")
    assert.equal(await look('widget', ELSEWHERE), 200)
    assert.equal(await look('widget', 'http://localhost:8080'), 200)
    for (const origin of ['https://evil.example', 'https://site.example.evil.example', 'null']) {
      assert.equal(await look('widget', origin), 403, origin)
      assert.equal((await open(server, chatbot, 'widget', { origin })).status, 403, origin)
    }
    const visitor = await visit(server, chatbot, 'widget')
    assert.equal((await visitor.say('q', { origin: 'https://evil.example' })).status, 403)
    assert.equal((await visitor.say('q', { origin: server.address })).status, 200)
  })

  test('is not got around by what a page claims a proxy said', async (t) => {
    const server = await startTestServer(t, { environment: { TRUSTED_PROXIES: '127.0.0.1' } })
    const chatbot = await server.owner.createChatbot({ visibility: 'public' })
    await server.owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      allowed_origins: [ELSEWHERE],
    })
    const evil = 'https://evil.example'
    const claims = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    for (const channel of ['share', 'widget'] as const) {
      const { status } = await open(server, chatbot, channel, { origin: evil, ...claims })
      assert.equal(status, 403, channel)
    }
    const visitor = await visit(server, chatbot, 'widget')
    assert.equal((await visitor.say('q', { origin: evil, ...claims })).status, 403)
    const { forwarded } = claims
    assert.equal((await visitor.say('q', { origin: server.address, forwarded })).status, 200)

    const asked = await fetch(`${server.address}/api/v1/public/chatbot/${chatbot}/session`, {
      method: 'OPTIONS',
      headers: {
        origin: evil,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'content-type, X-Forwarded-Host,forwarded, x-forwarded-for,idempotency-key',
      },
    })
    const allowed = asked.headers.get('access-control-allow-headers')!.split(/ *, */)
    assert.deepEqual(allowed, ['content-type', 'idempotency-key'])
  })

  test('lets nobody frame the console or the share page', async (t) => {
    const { server, chatbot } = await publicChatbot(t)
    for (const path of ['/', '/sign-in', `/c/${chatbot}`, `/widget/${newId()}`]) {
      const policy = (await fetch(server.address + path)).headers.get('content-security-policy')!
      assert.match(policy, /frame-ancestors 'none'/, path)
      assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/, path)
    }
  })
})
