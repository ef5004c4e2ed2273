import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, suite, test } from 'node:test'
import { readUntil, startSite, until } from '../../test/harness.ts'
import { type NodeServers, startNodes } from '../../test/machine/node-servers.ts'
import {
  administer,
  createDatabase,
  ONLY_POSTGRES,
  type TestDatabase,
} from '../../test/test-database.ts'
import { newId } from '../database/rows/ids.ts'

let servers: NodeServers
let database: TestDatabase

suite('equal nodes on one database', ONLY_POSTGRES, () => {
  before(async () => {
    database = await createDatabase()
    servers = await startNodes(3, {
      ...database.settings,
      RATE_LIMIT_PER_TOKEN: '100000/60',
      ALLOW_PRIVATE_HOSTS: '127.0.0.1',
    })
  })
  after(async () => {
    await servers?.end()
    await database?.drop()
  })

  test('that start together make one token and one user', async () => {
    const tokens = servers.nodes.filter(({ token }) => token !== undefined)
    assert.equal(tokens.length, 1)
    for (const node of [0, 1, 2]) {
      assert.equal((await servers.at(node).json('GET', '/user')).body.name, 'owner')
    }
  })

  test('see at once what any of them wrote', async () => {
    const chatbot = await servers.at(0).createChatbot({ name: 'A' })
    for (const [node, name] of ['B', 'C', 'D', 'E', 'F'].entries()) {
      await servers.at(node % 3).json('POST', `/chatbot/${chatbot}/update`, { name })
      const seen = await servers.at((node + 1) % 3).json('GET', `/chatbot/${chatbot}`)
      assert.equal(seen.body.name, name)
    }
  })

  test('let an answer be followed and taken up again through any of them', async () => {
    const session = await newSession(0)
    const response = await servers.at(0).ask(session, '60 words: follow')
    const uuid = response.headers.get('x-message-uuid')!
    const own = response.body!.getReader()
    const start = await readUntil(own, '–5')

    const other = await servers.at(1).send('GET', `/message/${uuid}/stream?offset=10`)
    const asEvents = await servers.at(2).send('GET', `/message/${uuid}/stream`, undefined, {
      accept: 'text/event-stream',
    })
    const [rest, followed, events] = await Promise.all([
      readUntil(own, 'never'),
      other.text(),
      asEvents.text(),
    ])
    const [message] = await servers.at(2).messages(session)
    assert.equal(message.finish_reason, 'stop')
    assert.equal(start + rest, message.response)
    assert.equal(followed, Buffer.from(message.response).subarray(10).toString())
    const texts = events.split('\n').filter((line) => line.startsWith('data: '))
    const deltas = texts.map((line) => JSON.parse(line.slice(6))).map(({ text = '' }) => text)
    assert.equal(deltas.join(''), message.response)
    assert.match(events, /message-end/)
  })

  test('stop an answer that another one gives', async () => {
    const session = await newSession(0)
    const response = await servers.at(0).ask(session, '2000 words: stop')
    const uuid = response.headers.get('x-message-uuid')!
    const reader = response.body!.getReader()
    await readUntil(reader, '–2')
    assert.equal((await servers.at(1).json('POST', `/message/${uuid}/stop`)).status, 200)
    const { body } = await servers.at(2).json('GET', `/message/${uuid}`)
    assert.equal(body.finish_reason, 'cancelled')
    assert.ok(body.response.includes('–2'))
  })

  test('refuse an offset beyond what another one has said', async () => {
    const session = await newSession(0)
    const response = await servers.at(0).ask(session, '40 words: beyond')
    const uuid = response.headers.get('x-message-uuid')!
    const refused = await servers.at(1).json('GET', `/message/${uuid}/stream?offset=99999`)
    assert.equal(refused.status, 422)
    await response.text()
  })

  test('count the messages of a rate limit together', async () => {
    const chatbot = await servers.at(0).createChatbot({ rate_limit: [6, 600] })
    const session = await servers.at(0).createSession(chatbot)
    const statuses = await Promise.all(
      Array.from({ length: 18 }, async (_, i) => {
        const response = await servers.at(i % 3).ask(session, `q${i}`)
        await response.text()
        return response.status
      }),
    )
    assert.equal(statuses.filter((status) => status === 200).length, 6)
    assert.equal(statuses.filter((status) => status === 429).length, 12)
    assert.equal((await servers.at(1).messages(session)).length, 6)
  })

  test('count what answers cost together', async () => {
    const chatbot = await servers.at(0).createChatbot({ rate_limit: [1000, 1] })
    const session = await servers.at(0).createSession(chatbot)
    const ask = async (i: number) => (await servers.at(i % 3).ask(session, `q${i}`)).text()
    await Promise.all(Array.from({ length: 9 }, (_, i) => ask(i)))
    for (const node of [0, 1, 2]) {
      const { body } = await servers.at(node).json('GET', `/chatbot/${chatbot}/usage`)
      assert.equal(body.messages, 9)
    }
  })

  test('tell a webhook of each message once', async (t) => {
    const told: string[] = []
    const site = await startSite(t, async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      told.push(JSON.parse(body).data.uuid)
      response.end()
    })
    const chatbot = await servers.at(0).createChatbot({ rate_limit: [1000, 1] })
    await servers.at(1).json('POST', `/chatbot/${chatbot}/webhook/create`, {
      url: site,
      events: ['message.finished'],
    })
    const session = await servers.at(2).createSession(chatbot)
    const asked = Array.from({ length: 12 }, async (_, i) => {
      const response = await servers.at(i % 3).ask(session, `q${i}`)
      await response.text()
      return response.headers.get('x-message-uuid')!
    })
    const uuids = await Promise.all(asked)
    await until(() => (told.length >= uuids.length ? true : undefined))
    assert.deepEqual(told.toSorted(), uuids.toSorted())
  })

  test('take in each source once, whichever got it', async () => {
    const chatbot = await servers.at(0).createChatbot()
    const made = Array.from({ length: 12 }, async (_, i) => {
      const pair = { question: `Question ${i}?`, answer: `Answer ${i}.` }
      const path = `/chatbot/${chatbot}/data-source/qa`
      return (await servers.at(i % 3).json('POST', path, pair)).body.uuid as string
    })
    for (const uuid of await Promise.all(made)) {
      assert.equal((await servers.at(1).settled(uuid)).status, 'success')
      const { body } = await servers.at(2).json('GET', `/data-source/${uuid}/passages`)
      assert.equal(body.length, 1)
    }
  })

  test('revoke a token everywhere at once', async () => {
    const { body } = await servers.at(0).json('POST', '/token/create', { name: 'short-lived' })
    const as = (node: number) =>
      fetch(`${servers.nodes[node]!.address}/api/v1/user`, {
        headers: { authorization: `Bearer ${body.token}` },
      })
    assert.equal((await as(1)).status, 200)
    await servers.at(2).json('POST', `/token/${body.uuid}/revoke`)
    assert.equal((await as(1)).status, 401)
  })

  test('end what was stored although its connection was lost before anybody knew', async () => {
    const session = await newSession(0)
    await (await servers.at(0).ask(session, 'first')).text()
    // As if the question had been stored and its acknowledgment lost.
    const message = newId()
    await administer(
      database.settings.DATABASE_URL!,
      `INSERT INTO messages (id, session_id, query, created_at, modified_at)
        SELECT '${message}', '${session}', 'lost', 0, 0;
      INSERT INTO running_answers (message_id, node_id) SELECT '${message}', id FROM nodes
        ORDER BY alive_until DESC LIMIT 1`,
    )
    const ended = await until(async () => {
      const { body } = await servers.at(1).json('GET', `/message/${message}`)
      return body.finish_reason === '' ? undefined : body
    }, 60_000)
    assert.equal(ended.finish_reason, 'interrupted')
  })

  test('end the answers of one that was killed, with what its readers had seen', async () => {
    const session = await newSession(2)
    const response = await servers.at(2).ask(session, '2000 words: kill')
    const uuid = response.headers.get('x-message-uuid')!
    const reader = response.body!.getReader()
    const seen = await readUntil(reader, '–4')
    const follower = await servers.at(0).send('GET', `/message/${uuid}/stream`)
    await servers.nodes[2]!.end('SIGKILL')

    await assert.rejects(follower.text(), 'a half answer does not look whole')
    const { body } = await servers.at(1).json('GET', `/message/${uuid}`)
    assert.equal(body.finish_reason, 'interrupted')
    assert.deepEqual(JSON.parse(body.meta_json).error_params, { reason: 'interrupted' })
    assert.ok(body.response.startsWith(seen))
    await servers.restart(2)
    const again = await servers.at(2).send('GET', `/message/${uuid}/stream`)
    assert.equal(await again.text(), body.response)
  })

  test('take an answer away from one that stood still, which then adds nothing to it', async () => {
    const session = await newSession(1)
    const response = await servers.at(1).ask(session, '2000 words: pause')
    const uuid = response.headers.get('x-message-uuid')!
    const reader = response.body!.getReader()
    let seen = await readUntil(reader, '–4')
    servers.nodes[1]!.process.kill('SIGSTOP')
    const ended = await until(async () => {
      const { body } = await servers.at(0).json('GET', `/message/${uuid}`)
      return body.finish_reason === '' ? undefined : body
    }, 60_000)
    assert.equal(ended.finish_reason, 'interrupted')
    servers.nodes[1]!.process.kill('SIGCONT')
    // Text sent before the stop may still arrive, but never more than is stored.
    await assert.rejects(async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        seen += new TextDecoder().decode(value)
      }
    })
    assert.ok(ended.response.startsWith(seen))
    const { body } = await servers.at(1).json('GET', `/message/${uuid}`)
    assert.equal(body.response, ended.response)
    assert.equal(body.finish_reason, 'interrupted')
  })

  test('may be restarted one after the other while questions are asked: each that is accepted is answered', async () => {
    const chatbot = await servers.at(0).createChatbot({ rate_limit: [10_000, 1] })
    const session = await servers.at(0).createSession(chatbot)
    let goesOn = true
    const accepted: string[] = []
    const ask = async (first: number) => {
      for (let i = first; goesOn; i++) {
        const response = await servers
          .at(i % 3)
          .ask(session, `q${i}`)
          .catch(() => undefined)
        if (response?.status !== 200) continue
        const uuid = response.headers.get('x-message-uuid')!
        accepted.push(uuid)
        // The connection may break with the process. The answer can then be read again.
        await response.text().catch(() => reread(uuid))
      }
    }
    const reread = (uuid: string) =>
      until(async () => {
        for (const node of [0, 1, 2]) {
          const again = await servers
            .at(node)
            .send('GET', `/message/${uuid}/stream`)
            .catch(() => undefined)
          if (again?.status === 200) return again.text().catch(() => undefined)
        }
        return undefined
      }, 60_000)
    const asking = [ask(0), ask(1), ask(2)]
    for (const node of [0, 1, 2]) {
      const before = accepted.length
      const { process } = servers.nodes[node]!
      process.kill('SIGTERM')
      await once(process, 'exit')
      await until(() => (accepted.length > before ? true : undefined))
      await servers.restart(node)
    }
    goesOn = false
    await Promise.all(asking)
    const messages = await servers.at(0).messages(session)
    const reasons = new Map(messages.map(({ uuid, finish_reason }) => [uuid, finish_reason]))
    assert.ok(accepted.length > 0)
    for (const uuid of accepted) assert.equal(reasons.get(uuid), 'stop')
    assert.equal(messages.length, new Set(accepted).size)
  })
})

async function newSession(node: number): Promise<string> {
  const client = servers.at(node)
  return client.createSession(await client.createChatbot({ rate_limit: [1000, 1] }))
}
