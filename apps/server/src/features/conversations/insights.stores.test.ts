import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Client, scriptedModel, startTestServer } from '../../../test/harness.ts'

suite('the passages of a source', () => {
  test('are listed with their exact ranges, page by page, and shown in their text', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const section = (n: number) => `## Room ${n}\n\n${`Room ${n} holds old maps. `.repeat(60)}\n\n`
    const text = [1, 2, 3, 4].map(section).join('')
    const { uuid } = (await (await owner.upload(chatbot, 'rooms.md', text)).json()) as {
      uuid: string
    }
    await owner.settled(uuid)

    const { body: all } = await owner.json('GET', `/data-source/${uuid}/passages`)
    assert.ok(all.length > 2)
    const { body: first, headers } = await owner.json(
      'GET',
      `/data-source/${uuid}/passages?limit=1`,
    )
    const path = `/data-source/${uuid}/passages?limit=1&after=${first[0].id}`
    assert.equal(headers.get('link'), `</api/v1${path}>; rel="next"`)
    const rest = await owner.json('GET', path.replace('limit=1&', ''))
    assert.deepEqual([...first, ...rest.body], all)
    assert.equal(rest.headers.get('link'), null)

    const { revision, start, end } = all[1]
    const { body: excerpt } = await owner.json(
      'GET',
      `/data-source/${uuid}/excerpt?revision=${revision}&start=${start}&end=${end}`,
    )
    assert.equal(excerpt.text, all[1].text)
    assert.ok(excerpt.before.length > 0 && excerpt.after.length > 0)
    const unknown = await owner.json('GET', `/data-source/${uuid}/excerpt?revision=x&start=0&end=1`)
    assert.equal(unknown.status, 404)
  })
})

test('a source of any kind can be taken in again', async (t) => {
  const { owner, services } = await startTestServer(t)
  const chatbot = await owner.createChatbot()
  const { uuid } = (await (await owner.upload(chatbot, 'a.txt', 'Lions sleep.')).json()) as {
    uuid: string
  }
  await owner.settled(uuid)
  await services.db
    .updateTable('sources')
    .set({ status: 'fail', meta: '{"error":"Out of luck."}' })
    .where('id', '=', uuid)
    .execute()
  assert.equal((await owner.json('POST', `/data-source/${uuid}/retry`)).status, 200)
  const source = await owner.settled(uuid)
  assert.equal(source.status, 'success')
  assert.doesNotMatch(source.meta_json, /Out of luck/)
})

suite('what an owner learns', () => {
  test('conversations come newest first, with where they were held and how they were rated', async (t) => {
    const { owner, address } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const session = await owner.createSession(chatbot)
    const uuid = (await owner.ask(session, 'First?')).headers.get('x-message-uuid')
    await (await owner.ask(session, 'Second?')).text()
    await owner.json('POST', `/message/${uuid}/feedback`, { rating: 'down' })
    await owner.createSession(chatbot)
    const nobody = new Client(address, '')
    const { body: visit } = await nobody.json('POST', `/public/chatbot/${chatbot}/session`, {
      channel: 'widget',
    })
    const visitor = new Client(address, visit.secret)
    await visitor.send('POST', `/public/session/${visit.uuid}/message/stream`, { query: 'Hello?' })

    const { body } = await owner.json('GET', `/chatbot/${chatbot}/conversations`)
    assert.deepEqual(
      body.map(({ created_at: _, modified_at: __, ...rest }: Record<string, unknown>) => rest),
      [
        {
          uuid: visit.uuid,
          channel: 'widget',
          messages: 1,
          first_question: 'Hello?',
          rated_up: 0,
          rated_down: 0,
        },
        {
          uuid: session,
          channel: 'api',
          messages: 2,
          first_question: 'First?',
          rated_up: 0,
          rated_down: 1,
        },
      ],
    )
    const next = await owner.json(
      'GET',
      `/chatbot/${chatbot}/conversations?limit=1&before=${visit.uuid}`,
    )
    assert.deepEqual(next.body, [body[1]])
    assert.equal(next.headers.get('link'), null)
    const one = await owner.json('GET', `/chatbot/${chatbot}/conversations?limit=1`)
    const link = `</api/v1/chatbot/${chatbot}/conversations?limit=1&before=${visit.uuid}>; rel="next"`
    assert.equal(one.headers.get('link'), link)

    const only = (filter: string) =>
      owner.json('GET', `/chatbot/${chatbot}/conversations?${filter}`)
    assert.deepEqual((await only('channel=widget')).body, [body[0]])
    assert.deepEqual((await only('channel=api')).body, [body[1]])
    assert.deepEqual((await only('channel=share')).body, [])
    assert.deepEqual((await only('rating=down')).body, [body[1]])
    assert.deepEqual((await only('rating=up')).body, [])
    assert.deepEqual((await only('rating=down&channel=widget')).body, [])
    assert.equal((await only('rating=sideways')).status, 422)
  })

  test('unanswered questions are gathered, leave the list when they are settled, and come back when they are not', async (t) => {
    const { owner, stranger } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
    const earlier = await owner.createSession(chatbot)
    const session = await owner.createSession(chatbot)
    await (await owner.ask(earlier, 'Do dogs bite?')).text()
    for (const question of ['do dogs bite? ', 'When are you open?'])
      await (await owner.ask(session, question)).text()
    await (await owner.ask(earlier, 'Any zebras?')).text()

    const list = async () => (await owner.json('GET', `/chatbot/${chatbot}/unanswered`)).body
    const before = await list()
    assert.deepEqual(
      before.map(({ question, count, session_uuid }: Record<string, unknown>) => [
        question,
        count,
        session_uuid,
      ]),
      [
        ['do dogs bite?', 2, session],
        ['Any zebras?', 1, earlier],
      ],
    )
    const { uuids } = before[0]
    const settle = (body: object, caller = owner) => caller.json('POST', '/messages/settle', body)
    await settle({ uuids })
    assert.deepEqual(await list(), [before[1]])
    assert.equal((await settle({ uuids, settled: 'no' })).status, 422)
    assert.equal((await settle({ uuids, settled: false }, stranger)).status, 422)
    assert.deepEqual(await list(), [before[1]])
    assert.equal((await settle({ uuids: [uuids[0]], settled: false })).status, 200)
    assert.deepEqual((await list())[1].uuids, [uuids[0]], 'only what was put back')
    for (const _ of ['once', 'and once more']) await settle({ uuids, settled: false })
    assert.deepEqual(await list(), before)
    await settle({ uuids, settled: true })
    assert.deepEqual(await list(), [before[1]])

    const opening = (await owner.messages(session)).find(({ query }) => query.startsWith('When'))
    await owner.json('POST', `/message/${opening.uuid}/feedback`, { rating: 'down' })
    const questions = (await list()).map(({ question }: { question: string }) => question)
    assert.deepEqual(questions.sort(), ['Any zebras?', 'When are you open?'], 'rated down counts')
  })

  test('use is counted by day: messages, answered ones, tokens and waiting time', async (t) => {
    const script = scriptedModel()
    const { owner } = await startTestServer(t, { models: [script.model] })
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    for (const end of ['stop', 'fail', 'stop'] as const) {
      if (end === 'fail') script.fail('Broken')
      else {
        script.say('Yes.')
        script.finish()
      }
      await (await owner.ask(session, 'q')).text()
    }
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/usage/days?days=7`)
    assert.equal(body.length, 1)
    const { first_text_p50, first_text_p95, date, ...day } = body[0]
    assert.deepEqual(day, {
      messages: 3,
      answered: 2,
      sessions: 1,
      rated_up: 0,
      rated_down: 0,
      tokens: 20,
    })
    assert.ok(first_text_p50 > 0 && first_text_p95 >= first_text_p50)
    assert.equal(date, new Date().toISOString().slice(0, 10))
  })

  test('days begin where the reader is', async (t) => {
    const { owner, services } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const uuid = (await owner.ask(session, 'q')).headers.get('x-message-uuid')!
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const late = Date.parse(`${yesterday}T23:30:00Z`)
    await services.db
      .updateTable('messages')
      .set({ created_at: late })
      .where('id', '=', uuid)
      .execute()
    const dayAt = async (offset: number) => {
      const path = `/chatbot/${chatbot}/usage/days?days=3&utc_offset=${offset}`
      return (await owner.json('GET', path)).body.map(({ date }: { date: string }) => date)
    }
    const next = new Date(late + 3_600_000).toISOString().slice(0, 10)
    assert.deepEqual(await dayAt(0), [yesterday])
    assert.deepEqual(await dayAt(60), [next])
    assert.deepEqual(await dayAt(-480), [yesterday])
    for (const offset of ['841', '-841', 'x', '1.5']) {
      const path = `/chatbot/${chatbot}/usage/days?utc_offset=${offset}`
      assert.equal((await owner.json('GET', path)).status, 422, offset)
    }
  })
})
