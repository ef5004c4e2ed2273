import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { type Client, readUntil, scriptedModel, startTestServer } from '../../test/harness.ts'

const QUESTION = 'How do I cancel my subscription?'
const ANSWER = 'Open *Account*, then **Cancel** (see [1.1] of the manual). [none] is refunded.'

suite('a pair that asks the same', async () => {
  const script = scriptedModel()
  const { owner, stranger, address, services } = await startTestServer(
    { after },
    { models: [script.model] },
  )

  async function chatbotWith(settings: object = {}, pairs: [string, string][] = []) {
    const chatbot = await owner.createChatbot({ rate_limit: [1000, 1], ...settings })
    for (const [question, answer] of pairs) await owner.createPair(chatbot, question, answer)
    return chatbot
  }

  async function ask(chatbot: string, question: string, session?: string) {
    const calls = script.calls.length
    script.answer('The model says so.')
    const into = session ?? (await owner.createSession(chatbot))
    const text = await (await owner.ask(into, question)).text()
    const message = (await owner.messages(into)).at(-1)
    const isAsked = script.calls.length > calls
    // Drain an unused scripted answer, or the next question would get it.
    if (!isAsked) await drainScript(owner)
    return { text, isAsked, message, meta: JSON.parse(message.meta_json) }
  }

  /** Uses up the scripted answer in another chatbot. */
  async function drainScript(client: Client) {
    const session = await client.createSession(empty)
    await (await client.ask(session, 'Hello?')).text()
  }

  const empty = await chatbotWith()
  const pair: [string, string] = [QUESTION, ANSWER]
  const chatbot = await chatbotWith({}, [pair])
  const citing = await chatbotWith({ show_citations: true }, [pair])

  test('answers word for word, and no model is called', async () => {
    for (const question of [QUESTION, 'how can i cancel my subscription', `  ${QUESTION} `]) {
      const { text, isAsked, message, meta } = await ask(chatbot, question)
      assert.deepEqual([text, isAsked], [ANSWER, false], question)
      assert.equal(message.finish_reason, 'stop')
      assert.equal(meta.model_asked, 'scripted')
      assert.equal(meta.model_used, 'docent-quote')
      assert.match(meta.pair, /^[0-9a-f]{32}$/)
      assert.equal(meta.answered, true)
      assert.equal(meta.actual_token_distribution.total_tokens, 0)
    }
  })

  test('is cited where citations are shown', async () => {
    const { text, message, meta } = await ask(citing, QUESTION)
    assert.equal(text, `${ANSWER} [1.1]`)
    const cited = JSON.parse(message.cite_data_json)
    assert.equal(cited['1.1'].data_source_uuid, meta.pair)
    assert.equal(cited['1.1'].text, ANSWER)
  })

  test('answers among many passages, too', async () => {
    const pairs = Array.from({ length: 12 }, (_, i): [string, string] => [
      `Where is the ${['red', 'blue', 'green', 'old', 'new', 'tall'][i % 6]} hall of floor ${i}?`,
      `On floor ${i}.`,
    ])
    const large = await chatbotWith({}, [...pairs, pair])
    assert.equal((await ask(large, QUESTION)).text, ANSWER)
    assert.equal((await ask(large, 'Where is the red hall of floor 6?')).text, 'On floor 6.')
    assert.equal((await ask(large, 'Where is the red hall of floor 7?')).isAsked, true)
  })

  test('does not answer what asks for something else', async () => {
    const hours = await chatbotWith({}, [
      ['Is parking in the yard behind the museum free on Sundays?', 'Yes.'],
      ['How do I enable two-factor login in the settings of my account?', 'There.'],
      ['How do I install version 2 of the program on Windows?', 'So.'],
      ['Can I bring my dog?', 'No.'],
      ['What is C#?', 'A language.'],
    ])
    for (const question of [
      'How do I renew my passport?',
      'Is parking in the yard behind the museum free on Monday?',
      'How do I disable two-factor login in the settings of my account?',
      'How do I install version 3 of the program on Windows?',
      'Can I not bring my dog?',
      'What is C++?',
      'Can I bring my dog? And where can I park my car?',
    ]) {
      const { isAsked, meta } = await ask(hours, question)
      assert.equal(isAsked, true, question)
      assert.equal(meta.pair, undefined)
    }
  })

  test('answers in its own language only', async () => {
    const german = await chatbotWith({}, [
      ['Wie kündige ich mein Abonnement?', 'Unter *Konto*.'],
      ['How do I cancel my subscription?', 'Öffnen Sie *Konto* und kündigen Sie dort.'],
    ])
    assert.equal((await ask(german, 'Wie kündige ich mein Abonnement')).text, 'Unter *Konto*.')
    for (const question of [
      'Wie kann ich mein Abonnement kündigen?',
      'How can I end my Abonnement?',
    ])
      assert.equal((await ask(german, question)).isAsked, true, question)
  })

  test('does not answer a follow-up', async () => {
    const bot = await chatbotWith({}, [['How do I cancel it?', 'Under *Account*.']])
    const session = await owner.createSession(bot)
    assert.equal((await ask(bot, 'How do I cancel it?', session)).isAsked, false)
    assert.equal((await ask(bot, 'How do I cancel it?', session)).isAsked, true)
    const later = await owner.createSession(chatbot)
    await ask(chatbot, 'What does a subscription cost?', later)
    assert.equal((await ask(chatbot, QUESTION, later)).text, ANSWER)
  })

  test('does not answer a follow-up over OpenAI’s interface either', async () => {
    const bot = await chatbotWith({}, [['How do I cancel it?', 'Under *Account*.']])
    const complete = async (messages: object[]) => {
      const response = await fetch(`${address}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ model: bot, messages }),
      })
      const body = (await response.json()) as { choices: { message: { content: string } }[] }
      return body.choices[0]!.message.content
    }
    const asked = { role: 'user', content: 'How do I cancel it?' }
    assert.equal(await complete([asked]), 'Under *Account*.')
    script.answer('The model says so.')
    const before = [
      { role: 'user', content: 'What is a subscription?' },
      { role: 'assistant', content: 'A contract.' },
    ]
    assert.equal(await complete([...before, asked]), 'The model says so.')
  })

  test('is streamed as usual', async () => {
    const session = await owner.createSession(chatbot)
    const response = await owner.ask(session, QUESTION)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(await readUntil(response.body!.getReader(), ANSWER), ANSWER)
  })

  test('may be switched off, and the record of the chatbot does not grow', async () => {
    const bot = await chatbotWith({}, [pair])
    const path = `/chatbot/${bot}/answering`
    const { body } = await owner.json('GET', path)
    assert.deepEqual(body, { pairs_override: true, model_used: 'scripted' })
    const changed = await owner.json('POST', path, { pairs_override: false, other: 1 })
    assert.deepEqual(changed.body, { pairs_override: false, model_used: 'scripted' })
    assert.equal((await ask(bot, QUESTION)).isAsked, true)
    assert.deepEqual((await owner.json('POST', path, {})).body.pairs_override, false)
    const record = await owner.json('GET', `/chatbot/${bot}`)
    assert.equal(Object.keys(record.body.meta).length, 7)
    assert.equal(Object.keys(record.body).length, 5)
  })

  test('is switched by the owner alone, with true or false', async () => {
    const path = `/chatbot/${chatbot}/answering`
    for (const wrong of ['yes', 1, null, [], {}]) {
      const { status, body } = await owner.json('POST', path, { pairs_override: wrong })
      assert.equal(status, 422, JSON.stringify(wrong))
      assert.deepEqual(body.details[0].loc, ['body', 'pairs_override'])
    }
    assert.equal((await stranger.json('GET', path)).status, 404)
    assert.equal((await stranger.json('POST', path, { pairs_override: false })).status, 404)
    assert.equal((await owner.json('GET', path)).body.pairs_override, true)
  })

  test('leaves chatbots as they are that were made before', async () => {
    const old = await chatbotWith({}, [pair])
    // The migration leaves this value.
    const { db } = services
    await db.updateTable('chatbots').set({ answering: '{}' }).where('id', '=', old).execute()
    const { body } = await owner.json('GET', `/chatbot/${old}/answering`)
    assert.equal(body.pairs_override, false)
    assert.equal((await ask(old, QUESTION)).isAsked, true)
  })
})
