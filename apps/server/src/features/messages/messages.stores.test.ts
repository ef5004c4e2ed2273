import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '../../../test/harness.ts'

const MESSAGE_KEYS = `ai_context_json background_pending_tasks cite_data_json created_at detected_frustrations
  error_message feedback_json finish_reason labels meta_json modified_at query response session_documents uuid`

const { owner } = await startTestServer({ after })
const chatbot = await owner.createChatbot({ show_citations: true, rate_limit: [10_000, 1] })
await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')

suite('sessions and messages with the built-in answerer', () => {
  test('a new session has three keys; fetching and listing add meta', async () => {
    const { status, body } = await owner.json('POST', `/chatbot/${chatbot}/session/create`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['created_at', 'modified_at', 'uuid'])

    const fetched = await owner.json('GET', `/session/${body.uuid}`)
    assert.deepEqual(fetched.body, { ...body, meta: {} })
    const list = await owner.json('GET', `/chatbot/${chatbot}/sessions`)
    assert.deepEqual(list.body.at(-1), { ...body, meta: {} })
  })

  test('an answer is stored as a message with every key that clients expect', async () => {
    const session = await owner.createSession(chatbot)
    const response = await owner.ask(session, ' when are you OPEN ')
    assert.equal(await response.text(), 'Daily from 9 to 17. [1.1]')

    const [message] = await owner.messages(session)
    assert.deepEqual(Object.keys(message).sort(), MESSAGE_KEYS.split(/\s+/))
    assert.equal(message.uuid, response.headers.get('x-message-uuid'))
    assert.equal(message.query, 'when are you OPEN')
    assert.equal(message.response, 'Daily from 9 to 17. [1.1]')
    assert.equal(message.finish_reason, 'stop')
    assert.equal(message.error_message, '')
    assert.equal(message.feedback_json, null)
    assert.deepEqual(message.labels, [])
    assert.deepEqual(message.session_documents, [])
    assert.equal(message.background_pending_tasks, 0)
    assert.equal(message.detected_frustrations, null)
    assert.equal(message.ai_context_json, '{}')
  })

  test('a citation has exactly five keys, and its receipt says where the quote stands', async () => {
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'When are you open?')).text()
    const [message] = await owner.messages(session)

    const citation = JSON.parse(message.cite_data_json)['1.1']
    assert.deepEqual(Object.keys(citation), [
      'data_source_uuid',
      'title',
      'text',
      'file_name',
      'type',
    ])
    assert.equal(citation.text, 'Daily from 9 to 17.')
    assert.equal(citation.type, 'qa')
    const meta = JSON.parse(message.meta_json)
    const receipt = meta.receipts['1.1']
    assert.equal(receipt.data_source_uuid, citation.data_source_uuid)
    assert.match(receipt.revision, /^[0-9a-f]{64}$/)
    assert.equal(
      'When are you open?\n\nDaily from 9 to 17.'.slice(receipt.start, receipt.end),
      citation.text,
    )
    assert.equal(meta.actual_token_distribution.total_tokens, 0)
    assert.equal(meta.model_asked, 'docent-quote')
    assert.equal(meta.model_used, 'docent-quote')
    assert.equal(typeof meta.timings_ms.total, 'number')
  })

  test('without show_citations the answer carries no markers and no citations', async () => {
    const plain = await owner.createChatbot()
    await owner.createPair(plain, 'When are you open?', 'Daily from 9 to 17.')
    const session = await owner.createSession(plain)
    assert.equal(await (await owner.ask(session, 'When open?')).text(), 'Daily from 9 to 17.')
    assert.equal((await owner.messages(session))[0].cite_data_json, '{}')
  })

  test('a question that the sources do not answer gets an honest sentence', async () => {
    const session = await owner.createSession(chatbot)
    const text = await (await owner.ask(session, 'Who painted the ceiling?')).text()
    assert.equal(
      text,
      'I did not find this in the sources.\nThe nearest are:\n- When are you open?',
    )
  })

  test('a chatbot that asks for a model nobody configured is answered, and the message says by which', async () => {
    const bot = await owner.createChatbot({ model: 'gpt-4o-16k' })
    const session = await owner.createSession(bot)
    await (await owner.ask(session, 'hello')).text()
    const meta = JSON.parse((await owner.messages(session))[0].meta_json)
    assert.equal(meta.model_asked, 'gpt-4o-16k')
    assert.equal(meta.model_used, 'docent-quote')
  })

  test('an answer comes whole without a stream, too', async () => {
    const session = await owner.createSession(chatbot)
    const { status, body } = await owner.json('POST', `/session/${session}/message/non-stream`, {
      query: 'When are you open?',
      pre_canned_response: true,
    })
    assert.equal(status, 200)
    assert.deepEqual(body, { response: 'Daily from 9 to 17. [1.1]' })
  })

  test('messages come newest last, and as a transcript', async () => {
    const session = await owner.createSession(chatbot)
    for (const query of ['open?', 'second', 'third']) await (await owner.ask(session, query)).text()
    const messages = await owner.messages(session)
    assert.deepEqual(
      messages.map(({ query }) => query),
      ['open?', 'second', 'third'],
    )
    const page = await owner.json(
      'GET',
      `/session/${session}/messages?limit=1&after=${messages[0].uuid}`,
    )
    assert.deepEqual(page.body, [messages[1]])
    assert.match(page.headers.get('link') ?? '', /rel="next"/)

    const transcript = await owner.send('GET', `/session/${session}/messages/plain-text`)
    assert.equal(transcript.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.match(await transcript.text(), /^User: open\?\n\nAssistant: Daily from 9 to 17/)
    const one = await owner.json('GET', `/message/${messages[2].uuid}`)
    assert.deepEqual(one.body, messages[2])
  })

  test('a session’s time moves with its messages', async () => {
    const session = await owner.createSession(chatbot)
    const [made] = [(await owner.json('GET', `/session/${session}`)).body]
    await new Promise((resolve) => setTimeout(resolve, 1100))
    await (await owner.ask(session, 'open?')).text()
    const { body } = await owner.json('GET', `/session/${session}`)
    assert.equal(body.created_at, made.created_at)
    assert.ok(body.modified_at > made.modified_at)
  })

  test('sessions can be listed by time', async () => {
    const bot = await owner.createChatbot()
    const session = await owner.createSession(bot)
    const count = async (query: string) =>
      (await owner.json('GET', `/chatbot/${bot}/sessions?${query}`)).body.length
    const now = Math.floor(Date.now() / 1000)
    assert.equal(await count(`start_timestamp=${now - 60}&end_timestamp=${now + 60}`), 1)
    assert.equal(await count('start_timestamp=2020-01-01T00:00:00Z'), 1)
    assert.equal(await count('end_timestamp=2020-01-01T00:00:00Z'), 0)
    // The format of Python's time.time().
    assert.equal(await count(`start_timestamp=${now - 60}.1234567&end_timestamp=${now + 60}.7`), 1)
    for (const at of [
      'x',
      '-1',
      '2026-02-30',
      '2026/02/30',
      '2026/02/30 10:00',
      '2/30/2026',
      '30 Feb 2026',
      'Mon, 30 Feb 2026 10:00:00 GMT',
      'April 31, 2026',
      '2026.02.30',
      '02.30.2026',
      '10:00 30 Feb 2026',
      'Tue Feb 30 10:00:00 2028',
      `2026${'T'.repeat(15_000)}`,
      '1e20',
      '9'.repeat(400),
      '8640000000001',
    ]) {
      for (const name of ['start_timestamp', 'end_timestamp']) {
        const { status } = await owner.json('GET', `/chatbot/${bot}/sessions?${name}=${at}`)
        assert.equal(status, 422, `${name} ${at}`)
      }
    }
    const { created_at } = (await owner.json('GET', `/session/${session}`)).body
    for (const at of [created_at, created_at.replace('Z', '')]) {
      assert.equal(await count(`start_timestamp=${at}&end_timestamp=${at}`), 1, at)
    }
    // A date without a time means the whole day.
    const day = created_at.slice(0, 10)
    for (const write of [(at: string) => at, (at: string) => at.replaceAll('-', '/')])
      assert.equal(await count(`start_timestamp=${write(day)}&end_timestamp=${write(day)}`), 1)
    assert.equal(await count(`end_timestamp=${day}T00:00:00Z`), 0)
    // The formats of `date` and of C, in a leap year.
    for (const at of ['Tue Feb 29 10:00:00 2028', 'Tue Feb 29 10:00:00 UTC 2028'])
      assert.equal(await count(`end_timestamp=${at}`), 1)
  })

  test('times without a zone are in UTC, wherever the server stands', async (t) => {
    const { env } = process
    const usual = env.TZ
    t.after(() => {
      if (usual === undefined) delete env.TZ
      else env.TZ = usual
    })
    const session = await owner.createSession(chatbot)
    const { created_at } = (await owner.json('GET', `/session/${session}`)).body
    const [day, time] = created_at.replace('Z', '').split('T') as [string, string]
    const isAt = async (at: string) => {
      const query = new URLSearchParams({ start_timestamp: at, end_timestamp: at })
      const { body } = await owner.json('GET', `/chatbot/${chatbot}/sessions?${query}`)
      return (body as { uuid: string }[]).some(({ uuid }) => uuid === session)
    }
    const slashed = day.replaceAll('-', '/')
    for (const zone of ['America/New_York', 'Asia/Tokyo']) {
      env.TZ = zone
      for (const at of [
        `${day}T${time}`,
        `${day} ${time}`,
        `${day} ${time}+00`,
        `${slashed} ${time}`,
        `${slashed} ${time} GMT`,
        `${day} ${time} UTC`,
        `${day} ${time} +0000`,
        `${time} ${day}`,
        new Date(created_at).toString(),
        new Date(created_at).toUTCString(),
        new Date(created_at).toUTCString().replace(' GMT', ''),
        slashed,
        day,
      ])
        assert.equal(await isAt(at), true, `${at} in ${zone}`)
      for (const write of [slashed, day])
        assert.equal(await isAt(`${write} ${time} -0500`), false, zone)
    }
  })

  for (const [what, body] of [
    ['no query', {}],
    ['a blank query', { query: ' \n' }],
    ['a query that is a list', { query: ['x'] }],
    ['a query too long', { query: 'x'.repeat(32_001) }],
  ] as const) {
    test(`${what} is refused and nothing is stored`, async () => {
      const session = await owner.createSession(chatbot)
      const { status } = await owner.json('POST', `/session/${session}/message/stream`, body)
      assert.equal(status, 422)
      assert.deepEqual(await owner.messages(session), [])
    })
  }

  test('a query of 32,000 characters is accepted, and extra fields are ignored', async () => {
    const session = await owner.createSession(chatbot)
    const query = 'lang '.repeat(6400).trim().padEnd(32_000, 'x')
    const response = await owner.send('POST', `/session/${session}/message/stream`, {
      query,
      extra: 1,
    })
    assert.equal(response.status, 200)
    await response.text()
    assert.equal((await owner.messages(session))[0].query, query)
  })

  test('feedback is kept with its message', async () => {
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'open?')).text()
    const [{ uuid }] = await owner.messages(session)
    const feedback = { rating: 'down', comment: 'Too short' }
    const { body } = await owner.json('POST', `/message/${uuid}/feedback`, feedback)
    assert.deepEqual(body, { success: true })
    assert.deepEqual(JSON.parse((await owner.messages(session))[0].feedback_json), feedback)
    assert.equal(
      (await owner.json('POST', `/message/${uuid}/feedback`, { rating: 'meh' })).status,
      422,
    )
  })

  test('a pair is found by the words of its answer as well, and a heading is no answer', async () => {
    const bot = await owner.createChatbot()
    await owner.createPair(bot, 'How can I pay?', 'By Bancontact or in cash.')
    const page =
      '# Shop\n\n## Opening hours\n\nWe open at nine. On Sundays we rest.\n\n## Dogs\n\nDogs stay outside.'
    const upload = await owner.upload(bot, 'shop.md', page)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    const session = await owner.createSession(bot)
    const answerTo = async (query: string) => (await owner.ask(session, query)).text()
    assert.equal(await answerTo('Bancontact?'), 'By Bancontact or in cash.')
    assert.equal(
      await answerTo('What are the opening hours?'),
      'We open at nine. On Sundays we rest.',
    )
    assert.equal(await answerTo('Anything about dogs?'), 'Dogs stay outside.')
  })

  test('words of every script are found', async () => {
    const bot = await owner.createChatbot()
    await owner.createPair(bot, '博物馆几点开门？', '上午九点。')
    await owner.createPair(bot, 'متى يفتح المتحف؟', 'الساعة التاسعة.')
    await owner.createPair(bot, 'Wann öffnet das Museum?', 'Um neun Uhr.')
    const session = await owner.createSession(bot)
    const answerTo = async (query: string) => (await owner.ask(session, query)).text()
    assert.equal(await answerTo('请问博物馆几点开门'), '上午九点。')
    assert.equal(await answerTo('متى يفتح المتحف'), 'الساعة التاسعة.')
    assert.equal(await answerTo('wann ÖFFNET museum'), 'Um neun Uhr.')
  })

  test('characters that mean something to the index are only text in a question', async () => {
    const session = await owner.createSession(chatbot)
    for (const query of [
      '"',
      'open" OR chatbot:"x',
      'NEAR(open)',
      '* ^ ( ) -',
      "'; DROP TABLE messages; --",
    ]) {
      const response = await owner.ask(session, query)
      assert.equal(response.status, 200, query)
      assert.notEqual(await response.text(), '')
    }
  })
})
