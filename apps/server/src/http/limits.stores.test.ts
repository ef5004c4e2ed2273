import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Client, scriptedModel, startTestServer } from '../../test/harness.ts'

suite('the service’s own limits', () => {
  test('count each token by itself', async (t) => {
    const server = await startTestServer(t, { environment: { RATE_LIMIT_PER_TOKEN: '5/3600' } })
    const client = new Client(server.address, (await server.tokenFor('owner')).token)
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => client.json('GET', '/chatbots')),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 5)
    const refused = replies.find(({ status }) => status === 429)!
    assert.equal(refused.body.code, 'rate_limited')
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    const other = new Client(server.address, (await server.tokenFor('owner')).token)
    assert.equal((await other.json('GET', '/chatbots')).status, 200)
  })

  test('count a token once, whichever door it comes through', async (t) => {
    const server = await startTestServer(t, { environment: { RATE_LIMIT_PER_TOKEN: '5/3600' } })
    const { token } = await server.tokenFor('owner')
    const headers = { authorization: `Bearer ${token}` }
    const statuses: number[] = []
    for (const path of ['/api/v1/chatbots', '/v1/models', '/mcp', '/api/v1/user', '/v1/models']) {
      const method = path === '/mcp' ? 'POST' : 'GET'
      statuses.push((await fetch(server.address + path, { method, headers })).status)
    }
    assert.ok(!statuses.includes(429), statuses.join())
    for (const path of ['/api/v1/chatbots', '/v1/models'])
      assert.equal((await fetch(server.address + path, { headers })).status, 429, path)
  })

  test('count an address however its tokens change, and leave health checks alone', async (t) => {
    const { address, owner } = await startTestServer(t, {
      environment: { RATE_LIMIT_PER_ADDRESS: '8/3600' },
    })
    const statuses: number[] = []
    for (let i = 0; i < 9; i++)
      statuses.push((await new Client(address, `guess-${i}`).send('GET', '/user')).status)
    // The harness has sent a request already.
    assert.deepEqual(statuses, [...Array(7).fill(401), 429, 429])
    assert.equal((await owner.send('GET', '/chatbots')).status, 429)
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
  })

  test('believe a forwarded address only from a trusted proxy, and only the hop it saw', async (t) => {
    const limited = { RATE_LIMIT_PER_ADDRESS: '3/3600' }
    const tryFrom = async (client: Client, forwarded: string) =>
      (await client.send('GET', '/user', undefined, { 'x-forwarded-for': forwarded })).status

    const open = await startTestServer(t, { environment: limited })
    assert.equal(await tryFrom(open.owner, '203.0.113.1'), 200)
    assert.equal(await tryFrom(open.owner, '203.0.113.2'), 200)
    assert.equal(await tryFrom(open.owner, '203.0.113.3'), 429, 'it says so itself')

    const behind = await startTestServer(t, {
      environment: { ...limited, TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' },
    })
    for (let i = 0; i < 3; i++)
      assert.equal(await tryFrom(behind.owner, `198.51.100.${i}, 203.0.113.1, 10.1.2.3`), 200)
    assert.equal(
      await tryFrom(behind.owner, '192.0.2.1, 203.0.113.1'),
      429,
      'what came before is a claim',
    )
    assert.equal(await tryFrom(behind.owner, '203.0.113.2'), 200)
    for (let i = 0; i < 3; i++) assert.equal(await tryFrom(behind.owner, `2001:db8:1:2::${i}`), 200)
    assert.equal(await tryFrom(behind.owner, '2001:db8:1:2:ffff::1'), 429, 'one network of 64 bits')
  })
})

suite('the tokens of a chatbot', () => {
  test('are counted, and over its budget no model is asked', async (t) => {
    const script = scriptedModel()
    const { owner, stranger } = await startTestServer(t, { models: [script.model] })
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const budget = (tokens: unknown) =>
      owner.json('POST', `/chatbot/${chatbot}/usage/budget`, { token_budget: tokens })
    const ask = () => {
      script.say('Yes.')
      script.finish()
      return owner.json('POST', `/session/${session}/message/non-stream`, { query: 'q' })
    }
    assert.equal((await budget(15)).status, 200)
    assert.equal((await ask()).status, 200)
    assert.equal((await ask()).status, 200, 'ten of fifteen were left')
    const refused = await ask()
    assert.equal(refused.status, 429)
    assert.match(refused.body.error, /used its token budget for this month/)
    assert.ok(Number(refused.headers.get('retry-after')) <= 31 * 86_400)
    assert.deepEqual(refused.body.details, { limit: 'token_budget' })
    assert.equal(script.calls.length, 2)
    assert.equal((await owner.messages(session)).length, 2, 'nothing is stored')

    const usage = await owner.json('GET', `/chatbot/${chatbot}/usage`)
    assert.deepEqual(usage.body, {
      month: new Date().toISOString().slice(0, 7),
      messages: 2,
      prompt_tokens: 14,
      completion_tokens: 6,
      total_tokens: 20,
      token_budget: 15,
    })
    for (const bad of [-1, 1.5, '10', undefined]) assert.equal((await budget(bad)).status, 422)
    assert.equal((await stranger.json('GET', `/chatbot/${chatbot}/usage`)).status, 404)
    await budget(null)
    assert.equal((await ask()).status, 200)
    assert.deepEqual(
      Object.keys((await owner.json('GET', `/chatbot/${chatbot}`)).body).sort(),
      ['created_at', 'meta', 'modified_at', 'name', 'uuid'],
      'the record stays as clients know it',
    )
  })
})
