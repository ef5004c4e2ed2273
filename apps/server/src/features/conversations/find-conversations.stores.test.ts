import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  scriptedModel,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'
import { watchAnalytics } from '../../../test/watch-analytics.ts'
import { newId } from '../../database/rows/ids.ts'

const DAY_MS = 86_400_000

/** Asks the questions in a new session and has the model give the answers. */
async function hold(
  { owner, script }: { owner: Client; script: ReturnType<typeof scriptedModel> },
  chatbot: string,
  ...messages: [question: string, answer: string][]
): Promise<string> {
  const session = await owner.createSession(chatbot)
  for (const [question, answer] of messages) {
    script.say(answer)
    script.finish()
    await (await owner.ask(session, question)).text()
  }
  return session
}

async function startTalking(t: Parameters<typeof startTestServer>[0]) {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  return { ...server, script, chatbot: await server.owner.createChatbot() }
}

async function find(owner: Client, chatbot: string, filter: Record<string, string>) {
  const query = new URLSearchParams(filter)
  const answer = await owner.json('GET', `/chatbot/${chatbot}/conversations?${query}`)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.map(({ uuid }: { uuid: string }) => uuid)
}

suite('conversations are found', () => {
  test('by words of one message, in its question or its answer, in large or small letters', async (t) => {
    const talking = await startTalking(t)
    const { owner, chatbot } = talking
    const groups = await hold(
      talking,
      chatbot,
      ['Is there a tariff for GROUPS?', 'Yes: 100% of your Ärger is spared.'],
      ['When do you open?', 'At nine.'],
    )
    const hours = await hold(talking, chatbot, [
      'Öffnungszeiten am Montag?',
      'Der file_name ist C:\\hours.',
    ])
    const search = (words: string) => find(owner, chatbot, { search: words })
    assert.deepEqual(await search('groups'), [groups])
    assert.deepEqual(await search('  ÄRGER\ttariff '), [groups], 'of question and answer together')
    assert.deepEqual(await search('groups nine'), [], 'of two messages')
    assert.deepEqual(await search('öffnungsZEITEN'), [hours])
    assert.deepEqual(await search('NUNGSz'), [hours], 'a part of a word')
    assert.deepEqual(await search('%'), [groups], 'no pattern')
    assert.deepEqual(await search('_'), [hours])
    assert.deepEqual(await search('c:\\H'), [hours])
    assert.deepEqual(await search('zebra'), [])
    assert.deepEqual(await search(' '), [hours, groups], 'no word is no wish')
    assert.deepEqual(await find(owner, chatbot, { search: 'nine', channel: 'widget' }), [])
  })

  test('by words of the answer that was rated so', async (t) => {
    const talking = await startTalking(t)
    const { owner, chatbot } = talking
    const session = await hold(talking, chatbot, ['Lions?', 'Three.'], ['Bears?', 'None.'])
    const [lions] = await owner.messages(session)
    await owner.json('POST', `/message/${lions.uuid}/feedback`, { rating: 'down' })
    assert.deepEqual(await find(owner, chatbot, { search: 'lions', rating: 'down' }), [session])
    assert.deepEqual(await find(owner, chatbot, { search: 'bears', rating: 'down' }), [])
  })

  test('by when they were held, from their beginning to their last question', async (t) => {
    const talking = await startTalking(t)
    const { owner, chatbot, services } = talking
    const session = await hold(talking, chatbot, ['Lions?', 'Three.'])
    const begun = Date.parse('2026-03-10T12:00:00Z')
    await services.db
      .updateTable('sessions')
      .set({ created_at: begun, modified_at: begun + DAY_MS })
      .where('id', '=', session)
      .execute()
    const held = async (from: string, to: string) =>
      (await find(owner, chatbot, { ...(from && { from }), ...(to && { to }) })).length
    assert.equal(await held('2026-03-11T12:00:00Z', ''), 1)
    assert.equal(await held('2026-03-11T12:00:01Z', ''), 0)
    assert.equal(await held('', '2026-03-10T12:00:00Z'), 1)
    assert.equal(await held('', '2026-03-10T11:59:59Z'), 0)
    assert.equal(await held('2026-03-11', '2026-03-12'), 1)
    assert.equal(await held(String(begun / 1000 - 60), String(begun / 1000 + 60)), 1)
    assert.equal(await held('2026-03-12', '2026-03-11'), 0)
    const both = { from: '2026-03-11', search: 'lions' }
    assert.deepEqual(await find(owner, chatbot, both), [session])
    assert.deepEqual(await find(owner, chatbot, { ...both, from: '2026-03-12' }), [])
  })

  test('however far back they are, page by page', async (t) => {
    const server = await startTestServer(t)
    const { owner } = server
    const chatbot = await owner.createChatbot()
    const others = await owner.createChatbot()
    const said = Array.from({ length: 1_100 }, (_, n) => (n % 499 === 0 ? `Lion ${n}?` : 'Bears?'))
    const sessions = await insertConversations(server, chatbot, said)
    await insertConversations(server, others, ['Lion?'])
    const lions = sessions.filter((_, n) => n % 499 === 0).toReversed()
    assert.deepEqual(await find(owner, chatbot, { search: 'lion' }), lions)
    assert.deepEqual(await find(owner, chatbot, { search: 'lion', before: lions[1]! }), [lions[2]])

    const seen: string[] = []
    let path: string | undefined = `/chatbot/${chatbot}/conversations?search=Lion&limit=2`
    while (path) {
      const { body, headers } = await owner.json('GET', path)
      seen.push(body.map(({ first_question }: { first_question: string }) => first_question))
      path = /^<\/api\/v1(.+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(seen, [['Lion 998?', 'Lion 499?'], ['Lion 0?']])
  })

  test('no further back when whoever looks for them has left', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const chatbot = await owner.createChatbot()
    await insertConversations(server, chatbot, Array(2_600).fill('Bears?'))
    const leaving = new AbortController()
    let queries = 0
    watchAnalytics(services.analytics, async () => {
      queries += 1
      if (queries > 1) return
      leaving.abort()
      await sleep(100)
    })
    const path = `/chatbot/${chatbot}/conversations?search=zebra`
    const { signal } = leaving
    const headers = { authorization: `Bearer ${owner.token}` }
    await assert.rejects(fetch(owner.base + path, { headers, signal }), { name: 'AbortError' })
    await sleep(500)
    assert.equal(queries, 1)
    await find(owner, chatbot, { search: 'zebra' })
    assert.ok(queries > 10, 'all of them for a caller who waits')
  })

  test('only by what can be looked for, and by nobody else', async (t) => {
    const { owner, stranger } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const ask = (caller: Client, filter: string) =>
      caller.json('GET', `/chatbot/${chatbot}/conversations?${filter}`)
    const refused = [
      ['from', '2026-02-30'],
      ['to', '2026-13-01'],
      ['from', 'yesterday'],
      ['search', 'x'.repeat(201)],
      ['search', '%00'],
    ]
    for (const [field, value] of refused) {
      const { status, body } = await ask(owner, `${field}=${value}`)
      assert.equal(status, 422, `${field}=${value}`)
      assert.deepEqual(body.details[0].loc, ['querystring', field])
    }
    assert.equal((await ask(stranger, 'search=x')).status, 404)
  })
})

async function insertConversations(
  { services }: TestServer,
  chatbot: string,
  questions: string[],
): Promise<string[]> {
  const now = { created_at: Date.now(), modified_at: Date.now() }
  const sessions = questions.map(() => ({ id: newId(), chatbot_id: chatbot, ...now }))
  const messages = questions.map((query, n) => ({
    id: newId(),
    session_id: sessions[n]!.id,
    query,
    response: 'Yes.',
    finish_reason: 'stop' as const,
    ...now,
  }))
  await services.db.insertInto('sessions').values(sessions).execute()
  await services.db.insertInto('messages').values(messages).execute()
  return sessions.map(({ id }) => id)
}
