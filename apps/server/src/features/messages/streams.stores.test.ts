import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { readUntil, scriptedModel, startTestServer, until } from '../../../test/harness.ts'
import { newId } from '../../database/rows/ids.ts'

async function start(t: TestContext, settings: object = {}) {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  const chatbot = await server.owner.createChatbot(settings)
  const session = await server.owner.createSession(chatbot)
  const latest = async () => (await server.owner.messages(session)).at(-1)
  return { ...server, script, chatbot, session, latest }
}

suite('a streamed answer', () => {
  test('comes as raw text while it is given, with the contract’s headers', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.say('Hello')
    const response = await owner.ask(session, 'hi', { 'accept-encoding': 'gzip' })

    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(response.headers.get('cache-control'), 'no-store, no-transform')
    assert.equal(response.headers.get('x-accel-buffering'), 'no')
    assert.equal(response.headers.get('content-encoding'), null)
    const reader = response.body!.getReader()
    assert.equal(await readUntil(reader, 'Hello'), 'Hello')
    const running = await latest()
    assert.equal(running.uuid, response.headers.get('x-message-uuid'))
    assert.equal(running.finish_reason, '')
    assert.equal(running.response, 'Hello', 'what was read is stored already')
    // Nothing else would be known of the answer if the server were killed now.
    assert.match(running.meta_json, /"model_asked":"scripted","model_used":"scripted"/)
    script.say(' world')
    assert.equal(await readUntil(reader, 'world'), ' world')
    script.finish('length')
    assert.equal((await reader.read()).done, true)
    const done = await latest()
    assert.deepEqual([done.response, done.finish_reason], ['Hello world', 'length'])
    assert.equal(JSON.parse(done.meta_json).actual_token_distribution.total_tokens, 10)
  })

  test('stores the question before the model is asked, and tells the model what it needs', async (t) => {
    const { owner, chatbot, session, script, latest } = await start(t, {
      prompt: 'Be kind.',
      temperature: 0.7,
      show_citations: true,
    })
    await owner.createPair(chatbot, 'Which hours do you keep?', 'Daily from 9 to 17.')
    const asking = owner.ask(session, 'When are you open?')
    while (script.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await latest()).query, 'When are you open?')
    const [call] = script.calls
    assert.match(call!.system, /^Be kind\./)
    assert.match(call!.prompt, /\[1\.1\] Which hours do you keep\?\n> Daily from 9 to 17\./)
    assert.equal(call!.temperature, 0.7)

    script.say('From nine [1.1], I think [7.7].')
    script.finish()
    await (await asking).text()
    assert.deepEqual(Object.keys(JSON.parse((await latest()).cite_data_json)), ['1.1'])
  })

  test('goes on when its reader leaves', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.say('First')
    const response = await owner.ask(session, 'hi')
    const reader = response.body!.getReader()
    await readUntil(reader, 'First')
    await reader.cancel()
    script.say(' and last')
    script.finish()
    while ((await latest()).finish_reason === '')
      await new Promise((resolve) => setTimeout(resolve, 5))
    assert.equal((await latest()).response, 'First and last')
    assert.equal(script.calls[0]!.aborted, false)
  })

  test('can be followed by many, from any byte, live and finished', async (t) => {
    const { owner, session, script } = await start(t)
    const text = 'Grüße aus dem Café 🙂 und mehr'
    script.say(text.slice(0, 10))
    const response = await owner.ask(session, 'hi')
    const uuid = response.headers.get('x-message-uuid')
    const reader = response.body!.getReader()
    const begun = await readUntil(reader, text.slice(0, 10))
    const follow = async (offset: number) =>
      Buffer.from(
        await (await owner.send('GET', `/message/${uuid}/stream?offset=${offset}`)).arrayBuffer(),
      )
    const live = [0, 3, 4].map(follow)
    script.say(text.slice(10, 20))
    script.say(text.slice(20))
    script.finish()

    const bytes = Buffer.from(text)
    assert.deepEqual(
      await Promise.all(live),
      [0, 3, 4].map((offset) => bytes.subarray(offset)),
    )
    assert.equal(begun + (await readUntil(reader, 'never')), text)
    for (let offset = 0; offset <= bytes.length; offset++) {
      assert.deepEqual(await follow(offset), bytes.subarray(offset), `from byte ${offset}`)
    }
    const finished = await owner.send('GET', `/message/${uuid}/stream`)
    assert.equal(finished.headers.get('x-finish-reason'), 'stop')
    for (const bad of [bytes.length + 1, 'x', -1]) {
      assert.equal((await owner.json('GET', `/message/${uuid}/stream?offset=${bad}`)).status, 422)
    }
  })

  test('is stopped for real, and keeps what it had', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.say('Some text')
    const response = await owner.ask(session, 'hi')
    const reader = response.body!.getReader()
    await readUntil(reader, 'Some text')
    const uuid = response.headers.get('x-message-uuid')
    assert.deepEqual((await owner.json('POST', `/message/${uuid}/stop`)).body, { success: true })
    assert.equal(script.calls[0]!.aborted, true)
    assert.equal((await reader.read()).done, true, 'a stopped answer ends cleanly')
    assert.equal((await latest()).finish_reason, 'cancelled')
    assert.equal((await latest()).response, 'Some text')
    assert.equal((await owner.json('POST', `/message/${uuid}/stop`)).status, 200)
  })

  test('that fails before its first character is a 502, and the message says so', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.fail('connect ECONNREFUSED 10.1.2.3 key=sk-secret')
    const { status, body, headers } = await owner.json(
      'POST',
      `/session/${session}/message/stream`,
      { query: 'hi' },
    )
    assert.equal(status, 502)
    assert.equal(body.code, 'model_failed')
    assert.doesNotMatch(JSON.stringify(body), /secret|10\.1/)
    const message = await latest()
    assert.equal(headers.get('x-message-uuid'), message.uuid)
    assert.equal(message.finish_reason, 'error')
    assert.equal(message.error_message, body.error)
    assert.equal(message.response, '')
    const { error_code, error_params } = JSON.parse(message.meta_json)
    assert.deepEqual([error_code, error_params], ['model_failed', {}])

    script.fail('again')
    const whole = await owner.json('POST', `/session/${session}/message/non-stream`, {
      query: 'hi',
    })
    assert.equal(whole.status, 502)
    assert.equal(whole.headers.get('x-message-uuid'), (await latest()).uuid)
  })

  test('that fails after its first character is cut off, not ended', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.say('Half an answer')
    const response = await owner.ask(session, 'hi')
    const reader = response.body!.getReader()
    await readUntil(reader, 'Half an answer')
    script.fail('provider went away')
    await assert.rejects(reader.read())
    assert.equal((await latest()).finish_reason, 'error')
    assert.equal((await latest()).response, 'Half an answer')
  })

  test('that fails does not look whole to an HTTP/1.0 client either', async (t) => {
    const { owner, address, session, script } = await start(t)
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    const body = '{"query":"hi"}'
    socket.write(
      `POST /api/v1/session/${session}/message/stream HTTP/1.0\r\nContent-Type: application/json\r\nAuthorization: Bearer ${owner.token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    script.say('Half an answer')
    let received = ''
    socket.on('data', (piece) => {
      received += piece
    })
    await until(() => received.endsWith('Half an answer') || undefined)
    script.fail('provider went away')
    const [error] = await once(socket, 'error')
    assert.equal(error.code, 'ECONNRESET')
  })

  test('of a model that ends without a word is an error, not an empty answer', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.model.stream = async function* () {}
    assert.equal((await owner.ask(session, 'hi')).status, 502)
    assert.equal((await latest()).finish_reason, 'error')
  })

  test('of a slow reader holds no more than the answer itself', async (t) => {
    const { owner, session, script, latest } = await start(t)
    script.say('Begin. ')
    const response = await owner.ask(session, 'hi')
    const piece = 'word '.repeat(20_000)
    for (let i = 0; i < 40; i++) script.say(piece)
    script.finish()
    while ((await latest()).finish_reason === '')
      await new Promise((resolve) => setTimeout(resolve, 10))
    const text = await response.text()
    assert.equal(text.length, 7 + 40 * piece.length)
  })

  test('ends when its message is deleted in the middle', async (t) => {
    const { owner, session, script } = await start(t)
    script.say('Some')
    const response = await owner.ask(session, 'hi')
    const reader = response.body!.getReader()
    await readUntil(reader, 'Some')
    await owner.json('POST', `/message/${response.headers.get('x-message-uuid')}/delete`)
    script.say(' more')
    await assert.rejects(readUntil(reader, 'never'), 'what is left does not look whole')
    assert.deepEqual(await owner.messages(session), [])
    assert.equal(script.calls[0]!.aborted, true)
  })

  test('to an unknown session or message is not found', async (t) => {
    const { owner } = await start(t)
    assert.equal((await owner.ask(newId(), 'hi')).status, 404)
    assert.equal((await owner.send('GET', `/message/${newId()}/stream`)).status, 404)
    assert.equal((await owner.send('POST', `/message/${newId()}/stop`)).status, 404)
  })
})

suite('server-sent events', () => {
  const parse = (body: string) =>
    body
      .split('\n\n')
      .filter((block) => block.startsWith('event: '))
      .map((block) => JSON.parse(/^data: (.*)$/m.exec(block)![1]!))

  test('carry the same answer as typed events, with byte offsets', async (t) => {
    const { owner, session, script, latest } = await start(t)
    const response = await owner.ask(session, 'hi', { accept: 'text/event-stream' })
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    script.say('Grüße')
    const reader = response.body!.getReader()
    const begun = await readUntil(reader, 'Grüße')
    script.say(' 🙂')
    script.finish()
    const events = parse(begun + (await readUntil(reader, 'never')))
    const { uuid } = await latest()
    assert.deepEqual(events, [
      { type: 'message-start', uuid },
      { type: 'text-delta', text: 'Grüße', offset: 0 },
      { type: 'text-delta', text: ' 🙂', offset: 7 },
      { type: 'message-end', uuid, finish_reason: 'stop' },
    ])

    const again = await owner.send('GET', `/message/${uuid}/stream?offset=8`, undefined, {
      accept: 'text/event-stream',
    })
    assert.deepEqual(parse(await again.text())[1], { type: 'text-delta', text: '🙂', offset: 8 })
    const within = await owner.send('GET', `/message/${uuid}/stream?offset=3`, undefined, {
      accept: 'text/event-stream',
    })
    assert.deepEqual(
      parse(await within.text())[1],
      { type: 'text-delta', text: 'üße 🙂', offset: 2 },
      'a character that the offset cuts through is sent whole',
    )
  })

  for (const [accept, isWanted] of [
    ['TEXT/Event-Stream', true],
    ['text/event-stream; charset=utf-8', true],
    ['text/html, text/event-stream;q=0.9, */*;q=0.1', true],
    ['text/event-stream;q=0', false],
    ['text/plain, text/event-stream;q=0.5', false],
    ['text/event-stream-2', false],
    ['*/*', false],
  ] as const)
    test(`are ${isWanted ? '' : 'not '}sent to whoever accepts "${accept}"`, async (t) => {
      const { owner, session, script } = await start(t)
      script.say('Hello.')
      script.finish()
      const response = await owner.ask(session, 'hi', { accept })
      const type = isWanted ? 'text/event-stream' : 'text/plain'
      assert.equal(response.headers.get('content-type'), `${type}; charset=utf-8`)
      await response.text()
    })

  test('keep a quiet connection alive with a comment every ten seconds', async (t) => {
    const { owner, session, script } = await start(t)
    const response = await owner.ask(session, 'hi', { accept: 'text/event-stream' })
    const reader = response.body!.getReader()
    const begun = performance.now()
    await readUntil(reader, ': still here\n\n')
    const waited = performance.now() - begun
    assert.ok(waited > 9_000, `after ${waited} ms`)
    script.say('Yes.')
    script.finish()
    assert.match(await readUntil(reader, 'never'), /message-end/)
  })

  test('leave nothing behind of a reader who has gone before they begin', async (t) => {
    const { owner, session, script, services, latest } = await start(t)
    const made = t.mock.method(globalThis, 'setInterval')
    const cleared = t.mock.method(globalThis, 'clearInterval')
    // Hold the write of the question until the client has left.
    const [isHeld, isGone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = services.db.transaction().execute(async (db) => {
      await db.updateTable('sessions').set({ modified_at: Date.now() }).execute()
      isHeld.resolve()
      await isGone.promise
    })
    await isHeld.promise
    const onRequest = (message: unknown) => {
      const { response } = message as { response: ServerResponse }
      response.once('close', isGone.resolve)
    }
    subscribe('http.server.request.start', onRequest)
    t.after(() => unsubscribe('http.server.request.start', onRequest))
    const authorization = `Bearer ${owner.token}`
    const headers = {
      authorization,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    }
    const url = `${owner.base}/session/${session}/message/stream`
    const asking = httpRequest(url, { method: 'POST', headers }).on('error', () => {})
    asking.end('{"query":"hi"}')
    await until(() => (services.places.taken > 0 ? true : undefined))
    asking.destroy()
    await holding
    script.say('Nobody is here')
    script.finish()
    await until(async () => ((await latest())?.finish_reason === 'stop' ? true : undefined))
    // A heartbeat that is not cleared would run forever.
    const ended = cleared.mock.calls.map(({ arguments: [timer] }) => timer)
    assert.ok(made.mock.calls.every(({ result }) => ended.includes(result)))
  })

  test('tell of a failure, since their status has left already', async (t) => {
    const { owner, session, script } = await start(t)
    const response = await owner.ask(session, 'hi', { accept: 'text/event-stream' })
    assert.equal(response.status, 200)
    script.fail('down')
    const events = parse(await response.text())
    assert.equal(events.at(-1).type, 'error')
    assert.equal(events.at(-1).code, 'model_failed')
    assert.ok(!events.some(({ type }) => type === 'message-end'))
  })
})
