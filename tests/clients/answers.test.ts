import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  type AnswerEvent,
  ConnectionError,
  Docent,
  InvalidError,
  ModelFailedError,
  NotFoundError,
  RateLimitError,
  UnavailableError,
} from '@docent/client'
import { scriptedModel, startTestServer, until } from '@docent/server/test/harness.ts'
import { startCuttingProxy } from '../e2e/stage/cutting-proxy.ts'

suite('following an answer', async () => {
  const script = scriptedModel()
  const server = await startTestServer({ after }, { models: [script.model] })
  const { token } = server.owner
  const client = new Docent({ baseUrl: server.address, token })
  const chatbot = await client.chatbots.create({ name: 'Guide', visibility: 'public' })
  const newSession = () => client.sessions.create(chatbot)
  const called = (times: number) =>
    until(() => (script.calls.length >= times ? script.calls[times - 1] : undefined))

  test('gives typed events: a start, the text with its places in bytes, an end', async () => {
    const events: AnswerEvent[] = []
    const answer = client.sessions.ask(await newSession(), 'Well?')
    script.say('Grüße ')
    for await (const event of answer) {
      events.push(event)
      if (event.type === 'text-delta' && event.offset === 0) {
        script.say('und 😀')
        script.finish('length')
      }
    }
    const [start] = events
    const uuid = start?.type === 'message-start' ? start.uuid : ''
    assert.deepEqual(events, [
      { type: 'message-start', uuid },
      { type: 'text-delta', text: 'Grüße ', offset: 0 },
      { type: 'text-delta', text: 'und 😀', offset: 8 },
      { type: 'message-end', uuid, finish_reason: 'length' },
    ])
  })

  test('leaving the loop leaves the answer running', async () => {
    const session = await newSession()
    script.say('Half ')
    for await (const text of client.sessions.askText(session, 'Go on?')) {
      assert.equal(text, 'Half ')
      break
    }
    script.say('and half.')
    script.finish()
    const [message] = await client.sessions.messages(session)
    let whole = ''
    for await (const text of client.messages.followText(message!)) whole += text
    assert.equal(whole, 'Half and half.')
    assert.equal(script.calls.at(-1)!.aborted, false)
  })

  test('leaving it with stopWhenLeft stops the model, too', async () => {
    const session = await newSession()
    script.say('Much ')
    for await (const _ of client.sessions.askText(session, 'Talk?', { stopWhenLeft: true })) break
    const [message] = await client.sessions.messages(session)
    assert.deepEqual([message!.response, message!.finish_reason], ['Much ', 'cancelled'])
    assert.equal(script.calls.at(-1)!.aborted, true)
  })

  test('an abort throws its reason, in the middle and before anything is sent', async () => {
    const session = await newSession()
    const abort = new AbortController()
    const why = new Error('The reader has gone')
    script.say('So ')
    const reading = (async () => {
      const options = { signal: abort.signal, stopWhenLeft: true }
      for await (const text of client.sessions.askText(session, 'Slowly?', options)) {
        assert.equal(text, 'So ')
        abort.abort(why)
      }
    })()
    await assert.rejects(reading, why)
    const [message] = await client.sessions.messages(session)
    assert.equal(message!.finish_reason, 'cancelled')
    const late = client.sessions.ask(session, 'Too late?', { signal: abort.signal })
    await assert.rejects(late.next(), why)
    assert.equal((await client.sessions.messages(session)).length, 1)
  })

  test('an abort throws its reason although all of the answer has come', async () => {
    const session = await newSession()
    script.say('All of it.')
    script.finish()
    for await (const _ of client.sessions.ask(session, 'At once?'));
    const [message] = await client.sessions.messages(session)
    const abort = new AbortController()
    const why = new Error('The reader has gone')
    const seen: string[] = []
    const reading = (async () => {
      for await (const event of client.messages.follow(message!, { signal: abort.signal })) {
        seen.push(event.type)
        abort.abort(why)
      }
    })()
    await assert.rejects(reading, why)
    assert.deepEqual(seen, ['message-start'])
  })

  test('two that follow the same answer both have all of it', async () => {
    const session = await newSession()
    const read = async (answer: AsyncIterable<string>) => {
      let text = ''
      for await (const piece of answer) text += piece
      return text
    }
    const before = script.calls.length
    const first = read(client.sessions.askText(session, 'Both?'))
    await called(before + 1)
    const [message] = await client.sessions.messages(session)
    const second = read(client.messages.followText(message!))
    script.say('For both.')
    script.finish()
    assert.deepEqual(await Promise.all([first, second]), ['For both.', 'For both.'])
  })

  test('goes on where a lost connection broke off, and says so', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const far = new Docent({ baseUrl: proxy.address, token })
    const lost: number[] = []
    let text = ''
    script.say('One, zwei – ')
    const answer = far.sessions.askText(await newSession(), 'Count?', {
      onReconnect: (_, attempt) => {
        lost.push(attempt)
        if (attempt === 2) proxy.mend()
      },
    })
    for await (const piece of answer) {
      text += piece
      if (text === 'One, zwei – ') {
        proxy.cut()
        script.say('四.')
        script.finish()
      }
    }
    assert.equal(text, 'One, zwei – 四.')
    assert.deepEqual(lost.slice(0, 2), [1, 2])
  })

  test('a server that stays away ends it with a ConnectionError', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const far = new Docent({ baseUrl: proxy.address, token })
    script.say('Now you see me, ')
    const answer = far.sessions.askText(await newSession(), 'Gone?', { reconnects: 2 })
    const reading = (async () => {
      for await (const _ of answer) proxy.cut()
    })()
    await assert.rejects(reading, ConnectionError)
    script.finish()
  })

  test('a server that is stopping or overloaded does not end an answer that runs', async () => {
    const busy = { error: 'The server is stopping.', code: 'unavailable', request_id: '' }
    let refusals = 3
    const far = new Docent({
      baseUrl: server.address,
      token,
      retries: 0,
      fetch: async (...request) => {
        refusals -= 1
        return refusals >= 0 ? Response.json(busy, { status: 503 }) : fetch(...request)
      },
    })
    const session = await newSession()
    script.say('Still here.')
    script.finish()
    for await (const _ of client.sessions.askText(session, 'Are you there?'));
    const [message] = await client.sessions.messages(session)
    let text = ''
    for await (const piece of far.messages.followText(message!)) text += piece
    assert.equal(text, 'Still here.')
    refusals = 1
    await assert.rejects(far.sessions.ask(session, 'And now?').next(), UnavailableError)
  })

  test('a question that is asked again later under the key that it was given is asked once', async () => {
    const session = await newSession()
    const options = { idempotencyKey: 'of-my-own' }
    script.say('Once.')
    script.finish()
    const answers: string[] = []
    for (let times = 0; times < 2; times++) {
      let text = ''
      for await (const piece of client.sessions.askText(session, 'Again?', options)) text += piece
      answers.push(text)
    }
    answers.push(await client.sessions.askWhole(session, 'Again?', options))
    assert.deepEqual(answers, ['Once.', 'Once.', 'Once.'])
    assert.equal((await client.sessions.messages(session)).length, 1)
  })

  test('a model that fails throws what the server says, wherever it fails', async () => {
    const session = await newSession()
    for (const said of ['', 'Half of ']) {
      script.say(said)
      script.fail('Broken')
      let text = ''
      const reading = (async () => {
        for await (const piece of client.sessions.askText(session, 'Will it?')) text += piece
      })()
      await assert.rejects(reading, (error: ModelFailedError) => {
        assert.ok(error instanceof ModelFailedError)
        assert.deepEqual([error.status, error.code], [502, 'model_failed'])
        assert.match(error.messageUuid!, /^[0-9a-f]{32}$/)
        assert.notEqual(error.requestId, '')
        return true
      })
      assert.equal(text, said)
      // A later request returns the same error.
      const stored = (await client.sessions.messages(session)).at(-1)!
      const again = client.messages.follow(stored)
      await assert.rejects(async () => {
        for await (const _ of again);
      }, ModelFailedError)
      await assert.rejects(async () => {
        script.fail('Broken')
        await client.sessions.askWhole(session, 'And whole?')
      }, ModelFailedError)
    }
  })

  test('a refusal is thrown at the first step, and nothing is stored', async () => {
    const session = await newSession()
    await assert.rejects(client.sessions.ask(session, '  ').next(), InvalidError)
    await assert.rejects(client.sessions.ask('0'.repeat(32), 'Who?').next(), NotFoundError)
    await assert.rejects(client.messages.follow('0'.repeat(32)).next(), NotFoundError)
    assert.throws(() => client.sessions.ask('', 'Where?'), TypeError)
    assert.throws(() => client.sessions.ask('../chatbots', 'Where?'), TypeError)
    assert.deepEqual(await client.sessions.messages(session), [])
  })

  test('a rate limit that is too long to wait for is thrown, with its time', async () => {
    const strict = await client.chatbots.create({ name: 'Strict', rate_limit: [1, 3600] })
    const session = await client.sessions.create(strict)
    script.say('Yes.')
    script.finish()
    for await (const _ of client.sessions.ask(session, 'First?'));
    await assert.rejects(
      client.sessions.ask(session, 'Second?').next(),
      (error: RateLimitError) => {
        assert.ok(error instanceof RateLimitError)
        assert.equal(error.message, 'Too many messages')
        assert.ok(error.retryAfterMs! > 3_000_000 && error.retryAfterMs! <= 3_600_000)
        return true
      },
    )
  })

  test('visitors follow over a lost connection as well', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const visitors = new Docent({ baseUrl: proxy.address }).visitors
    const visit = await visitors.open(chatbot, 'share')
    let text = ''
    script.say('Wel')
    const onReconnect = () => proxy.mend()
    for await (const piece of visitors.askText(visit, 'Hello?', { onReconnect })) {
      text += piece
      if (text !== 'Wel') continue
      proxy.cut()
      script.say('come.')
      script.finish()
    }
    assert.equal(text, 'Welcome.')
    assert.equal((await visitors.messages(visit)).length, 1)
  })
})
