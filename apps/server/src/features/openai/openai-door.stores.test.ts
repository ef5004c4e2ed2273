import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import OpenAI from 'openai'
import { scriptedModel, startTestServer } from '../../../test/harness.ts'

suite('the openai package as a client', async () => {
  const script = scriptedModel()
  const server = await startTestServer({ after }, { models: [script.model] })
  const { owner, stranger, address } = server
  const chatbot = await owner.createChatbot({ name: 'Guide', rate_limit: [100, 1] })
  const connect = (token: string) =>
    new OpenAI({ apiKey: token, baseURL: `${address}/v1`, maxRetries: 0 })
  const client = connect(owner.token)
  const question = { role: 'user' as const, content: 'When are you open?' }

  function expect(...pieces: string[]) {
    script.calls.length = 0
    for (const piece of pieces) script.say(piece)
    script.finish()
  }

  test('lists the chatbots as models', async () => {
    const models = await Array.fromAsync(client.models.list())
    assert.deepEqual(
      models.map(({ id, object }) => ({ id, object })),
      [{ id: chatbot, object: 'model' }],
    )
    assert.equal((await client.models.retrieve(chatbot)).id, chatbot)
    assert.deepEqual(await Array.fromAsync(connect(stranger.token).models.list()), [])
  })

  test('gets a whole answer, with what it cost', async () => {
    expect('Daily', ' from 9.')
    const completion = await client.chat.completions.create({
      model: chatbot,
      messages: [question],
    })
    assert.deepEqual(completion.choices, [
      {
        index: 0,
        message: { role: 'assistant', content: 'Daily from 9.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ])
    assert.equal(completion.object, 'chat.completion')
    assert.equal(completion.model, chatbot)
    assert.equal(completion.usage?.total_tokens, 10)
    const uuid = completion.id.replace('chatcmpl-', '')
    assert.equal((await owner.json('GET', `/message/${uuid}`)).body.response, 'Daily from 9.')
  })

  test('gets an answer piece by piece, as it is given', async () => {
    script.calls.length = 0
    script.say('Daily')
    const stream = await client.chat.completions.create({
      model: 'Guide',
      messages: [question],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    const reasons: unknown[] = []
    let usage: unknown
    for await (const chunk of stream) {
      assert.equal(chunk.object, 'chat.completion.chunk')
      const [choice] = chunk.choices
      text += choice?.delta.content ?? ''
      if (text === 'Daily' && reasons.length === 0) {
        script.say(' from 9.')
        script.finish('length')
        reasons.push('first text came alone')
      }
      if (choice?.finish_reason) reasons.push(choice.finish_reason)
      usage = chunk.usage ?? usage
    }
    assert.equal(text, 'Daily from 9.')
    assert.deepEqual(reasons, ['first text came alone', 'length'])
    assert.deepEqual(usage, { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })
  })

  test('brings the conversation with it, and no instruction', async () => {
    expect('Yes.')
    await client.chat.completions.create({
      model: chatbot,
      temperature: 2,
      messages: [
        { role: 'system', content: 'You are a pirate.' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: [{ type: 'text', text: 'Are you' }] },
        { role: 'user', content: 'open?' },
      ],
    })
    const [call] = script.calls
    assert.match(call!.prompt, /Question: Are you\n\nopen\?$/)
    assert.deepEqual(call!.history, [{ question: 'Hello?', answer: 'Hello.' }])
    assert.doesNotMatch(call!.system, /pirate/)
    assert.equal(call!.temperature, 0)
  })

  test('is told of failures in its own terms', async () => {
    const ask = (body: object = {}) =>
      client.chat.completions.create({ model: chatbot, messages: [question], ...body })
    await assert.rejects(connect('wrong').models.list(), OpenAI.AuthenticationError)
    await assert.rejects(ask({ model: 'nobody' }), OpenAI.NotFoundError)
    await assert.rejects(ask({ messages: [] }), OpenAI.UnprocessableEntityError)
    await assert.rejects(ask({ n: 2 }), /n: must be 1/)
    await assert.rejects(
      ask({ messages: [question, { role: 'assistant', content: 'Hi' }] }),
      /must be the user’s/,
    )
    const image = [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }]
    await assert.rejects(ask({ messages: [{ role: 'user', content: image }] }), /only be text/)
    await assert.rejects(
      connect(stranger.token).chat.completions.create({ model: chatbot, messages: [question] }),
      OpenAI.NotFoundError,
    )
    const { token } = await server.tokenFor('owner', { scopes: ['read'] })
    await assert.rejects(
      connect(token).chat.completions.create({ model: chatbot, messages: [question] }),
      OpenAI.PermissionDeniedError,
    )
    script.fail('down')
    await assert.rejects(ask(), (error: InstanceType<typeof OpenAI.APIError>) => {
      assert.equal(error.status, 502)
      assert.equal(error.code, 'model_failed')
      return true
    })
    script.fail('down')
    await assert.rejects(ask({ stream: true }), OpenAI.InternalServerError)
  })

  test('is told what is wrong by the type, code and field that OpenAI names', async () => {
    const ask = (body: object = {}, of = client) =>
      of.chat.completions.create({ model: chatbot, messages: [question], ...body })
    const told = async (call: Promise<unknown>) => {
      const error = await call.then(
        () => assert.fail('it was answered'),
        (error: InstanceType<typeof OpenAI.APIError>) => error,
      )
      const { status, type, code, param } = error
      return { status, type, code, param }
    }
    const request = { type: 'invalid_request_error', param: null }
    const { token } = await server.tokenFor('owner', { scopes: ['read'] })
    for (const [call, expected] of [
      [() => ask({}, connect('wrong')), { ...request, status: 401, code: 'invalid_api_key' }],
      [() => ask({}, connect(token)), { ...request, status: 403, code: 'missing_scope' }],
      [
        () => ask({ model: 'nobody' }),
        { ...request, status: 404, code: 'model_not_found', param: 'model' },
      ],
      [
        () => client.models.retrieve('nobody'),
        { ...request, status: 404, code: 'model_not_found', param: 'model' },
      ],
      [
        () => client.embeddings.create({ model: 'x', input: 'x' }),
        { ...request, status: 404, code: null },
      ],
      [
        () => ask({ messages: 'Hi' }),
        { ...request, status: 422, code: 'invalid_type', param: 'messages' },
      ],
      [
        () => ask({ messages: [question, { role: 'king', content: 'Hi' }] }),
        { ...request, status: 422, code: 'invalid_value', param: 'messages[1].role' },
      ],
    ] as const)
      assert.deepEqual(await told(call()), expected)

    const unsupported = { ...request, status: 422, code: 'unsupported_value' }
    for (const type of ['json_object', 'json_schema', 'grammar']) {
      const param = 'response_format.type'
      const asked = ask({ response_format: { type, json_schema: { name: 'a', schema: {} } } })
      assert.deepEqual(await told(asked), { ...unsupported, param })
    }
    const tools = [{ type: 'function', function: { name: 'weather' } }]
    for (const tool_choice of ['required', { type: 'function', function: { name: 'weather' } }]) {
      const asked = ask({ tools, tool_choice })
      assert.deepEqual(await told(asked), { ...unsupported, param: 'tool_choice' })
    }
    for (const extra of [
      { response_format: { type: 'text' }, tool_choice: 'auto', tools },
      { response_format: null, tool_choice: null },
      { tool_choice: 'none' },
    ]) {
      expect('Yes.')
      await ask(extra)
    }
    script.calls.length = 0
  })

  test('never takes half an answer for a whole one', async () => {
    script.say('Half')
    const stream = await client.chat.completions.create({
      model: chatbot,
      messages: [question],
      stream: true,
    })
    await assert.rejects(async () => {
      for await (const _ of stream) script.fail('gone')
    }, /language model failed/)
  })

  test('is counted by the chatbot’s rate limit, whichever session it makes', async () => {
    const limited = await owner.createChatbot({
      rate_limit: [1, 3600],
      rate_limit_message: 'Slowly!',
    })
    expect('Yes.')
    const ask = () => client.chat.completions.create({ model: limited, messages: [question] })
    await ask()
    await assert.rejects(ask(), (error: InstanceType<typeof OpenAI.APIError>) => {
      assert.ok(error instanceof OpenAI.RateLimitError)
      assert.match(error.message, /Slowly!/)
      assert.deepEqual([error.type, error.code], ['requests', 'rate_limit_exceeded'])
      assert.ok(error.headers?.get('retry-after'))
      assert.equal(error.headers?.get('x-session-uuid'), null)
      return true
    })
    const sessions = (await owner.json('GET', `/chatbot/${limited}/sessions`)).body
    assert.equal(sessions.length, 1, 'what is refused leaves nothing behind')
  })

  test('may have talked to other models before, with tools and refusals', async () => {
    expect('At ten.')
    await client.chat.completions.create({
      model: chatbot,
      messages: [
        { role: 'user', content: 'Is it raining?' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call', type: 'function', function: { name: 'weather', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call', content: '{"rain":true}' },
        { role: 'assistant', content: 'It is.' },
        { role: 'user', content: 'And the key to the safe?' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
        question,
      ],
    })
    assert.deepEqual(script.calls[0]!.history, [{ question: 'Is it raining?', answer: 'It is.' }])
  })

  test('learns in a browser, too, of which session it is', async () => {
    const headers = { authorization: `Bearer ${owner.token}`, origin: 'https://site.example' }
    const response = await fetch(`${address}/v1/models`, { headers })
    assert.match(response.headers.get('access-control-expose-headers')!, /X-Session-Uuid/)
  })

  test('is told in its own form that a path or a method is not there', async () => {
    for (const [method, path, status] of [
      ['POST', 'embeddings', 404],
      ['GET', 'chat/completions', 405],
    ] as const) {
      const headers = { authorization: `Bearer ${owner.token}` }
      const response = await fetch(`${address}/v1/${path}`, { method, headers })
      assert.equal(response.status, status)
      const { error } = (await response.json()) as { error: { message: string; type: string } }
      assert.equal(error.type, 'invalid_request_error')
      assert.ok(error.message)
    }
  })
})
