import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { scriptedModel, startTestServer } from '../../../test/harness.ts'
import { startDocent } from '../../../test/remote-docent.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Result = any

suite('the Model Context Protocol over HTTP', async () => {
  const server = await startTestServer({ after })
  const { owner, stranger, address } = server
  const chatbot = await owner.createChatbot({ name: 'Museum guide', show_citations: true })
  await owner.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')

  const call = async (name: string, args: object = {}, token = owner.token): Promise<Result> => {
    const client = await connect(address, token)
    return client.callTool({ name, arguments: { ...args } }).finally(() => client.close())
  }

  test('lists its tools, each with a description and what it takes', async () => {
    const client = await connect(address, owner.token)
    const { tools } = await client.listTools()
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['list_chatbots', 'list_sources', 'search_passages', 'ask_chatbot'],
    )
    for (const tool of tools) assert.ok(tool.description && tool.outputSchema && tool.annotations)
    await client.close()
  })

  test('answers with citations, and goes on with a conversation', async () => {
    const first = await call('ask_chatbot', { chatbot, question: 'When are you open?' })
    assert.equal(first.structuredContent.answer, 'Daily from 9 to 17. [1.1]')
    const [citation] = first.structuredContent.citations
    assert.equal(citation.marker, '1.1')
    assert.equal(citation.quote, 'Daily from 9 to 17.')
    assert.match(first.content[0].text, /\n\nSession: [\da-f]{32}$/)
    assert.match(first.content[0].text, /^Daily .*\n\n\[1\.1\] When is the museum open\?: “Daily/)
    const { session } = first.structuredContent
    await call('ask_chatbot', { chatbot: 'Museum guide', question: 'And why?', session })
    assert.deepEqual(
      (await owner.messages(session)).map(({ query }) => query),
      ['When are you open?', 'And why?'],
    )
  })

  test('serves programs of the protocol’s earlier revisions alike', async () => {
    for (const [mode, version] of [
      ['auto', '2026-07-28'],
      ['legacy', '2025-11-25'],
    ] as const) {
      const client = await connect(address, owner.token, mode)
      assert.equal(client.getNegotiatedProtocolVersion(), version)
      const result: Result = await client.callTool({ name: 'list_chatbots', arguments: {} })
      assert.equal(result.structuredContent.chatbots.length, 1)
      await client.close()
    }
  })

  test('lists chatbots and sources, and finds passages', async () => {
    const { chatbots } = (await call('list_chatbots')).structuredContent
    assert.deepEqual(chatbots, [{ uuid: chatbot, name: 'Museum guide' }])
    const { sources } = (await call('list_sources', { chatbot })).structuredContent
    assert.deepEqual(
      sources.map(({ title, type, status, error }: Result) => [title, type, status, error]),
      [['When is the museum open?', 'qa', 'success', null]],
    )
    const after = sources[0].uuid
    assert.deepEqual((await call('list_sources', { chatbot, after })).structuredContent.sources, [])
    const found = await call('search_passages', { chatbot, query: 'opening hours of the museum' })
    assert.match(found.structuredContent.passages[0].text, /Daily from 9 to 17/)
  })

  test('says where a passage can be read, as the interface does', async () => {
    const linked = await owner.createChatbot({ name: 'Linked' })
    const fields = { reference_source_link: 'https://museum.example/hours' }
    const { uuid } = (await (
      await owner.upload(linked, 'hours.txt', 'Open daily from 9 to 17.', fields)
    ).json()) as Result
    await owner.settled(uuid)
    const query = 'open daily'
    const found = await call('search_passages', { chatbot: linked, query })
    const { body } = await owner.json('POST', `/chatbot/${linked}/search`, { query })
    assert.equal(body[0].url, 'https://museum.example/hours')
    assert.equal(found.structuredContent.passages[0].url, body[0].url)
    await owner.json('DELETE', `/chatbot/${linked}/delete`)
  })

  test('knows nothing of what is somebody else’s', async () => {
    assert.deepEqual((await call('list_chatbots', {}, stranger.token)).structuredContent, {
      chatbots: [],
    })
    const question = 'When are you open?'
    for (const given of [chatbot, 'Museum guide', 'nothing']) {
      for (const [name, args] of [
        ['ask_chatbot', { chatbot: given, question }],
        ['search_passages', { chatbot: given, query: question }],
        ['list_sources', { chatbot: given }],
      ] as const) {
        assertFailure(await call(name, args, stranger.token), 'There is no such chatbot.')
      }
    }
    const { session } = (await call('ask_chatbot', { chatbot, question })).structuredContent
    const theirs = await stranger.createChatbot()
    const args = { chatbot: theirs, question, session }
    assertFailure(await call('ask_chatbot', args, stranger.token), 'There is no such session.')
    const other = await owner.createChatbot()
    assertFailure(
      await call('ask_chatbot', { chatbot: other, question, session }),
      'There is no such session.',
    )
  })

  test('says that two chatbots have the same name', async () => {
    await owner.createChatbot({ name: 'Twin' })
    await owner.createChatbot({ name: 'Twin' })
    assertFailure(
      await call('list_sources', { chatbot: 'Twin' }),
      'Several chatbots are named "Twin". Use the UUID.',
    )
  })

  test('takes the name of a chatbot in other letters, unless another one has it in these', async () => {
    await owner.createChatbot({ name: 'Lamp' })
    const shouted = await owner.createChatbot({ name: 'LAMP' })
    await owner.createPair(shouted, 'Who shouts?', 'The other one.')
    const titles = async (chatbot: string) =>
      JSON.stringify((await call('list_sources', { chatbot })).structuredContent)
    assert.match(await titles('LAMP'), /Who shouts/)
    assert.doesNotMatch(await titles('Lamp'), /Who shouts/)
    assertFailure(
      await call('list_sources', { chatbot: 'lamp' }),
      'Several chatbots are named "lamp". Use the UUID.',
    )
    await owner.createChatbot({ name: 'Beacon' })
    assert.equal(await titles('bEACON'), '{"sources":[]}')
  })

  test('refuses a token that is wrong, missing, or lacks the scope', async () => {
    await assert.rejects(connect(address, 'docent_wrong'), /401|unauthorized|unknown/i)
    const bare = await fetch(`${address}/mcp`, { method: 'POST', body: '{}' })
    assert.equal(bare.status, 401)
    assert.equal(bare.headers.get('www-authenticate'), 'Bearer')
    const { token } = await server.tokenFor('owner', { scopes: ['read'] })
    assert.equal((await call('list_chatbots', {}, token)).isError, undefined)
    assertFailure(
      await call('ask_chatbot', { chatbot, question: 'When?' }, token),
      'This token lacks the scope "chat".',
    )
  })

  test('refuses tools that are not there and arguments that do not fit', async () => {
    await assert.rejects(call('drop_tables'), /drop_tables/)
    for (const args of [
      {},
      { chatbot },
      { chatbot: 7, question: 'When?' },
      { chatbot, question: ' ' },
      { chatbot, question: 'x'.repeat(32_001) },
      { chatbot, question: 'a\0b' },
    ]) {
      const outcome = await call('ask_chatbot', args).catch((error) => ({ isError: true, error }))
      assert.equal(outcome.isError, true, JSON.stringify(args).slice(0, 80))
    }
    assert.equal((await call('search_passages', { chatbot, query: 'x', limit: 51 })).isError, true)
  })

  test('refuses what is no message, and other methods', async () => {
    const headers = {
      authorization: `Bearer ${owner.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const send = (body: string, more = {}) =>
      fetch(`${address}/mcp`, { method: 'POST', headers: { ...headers, ...more }, body })
    for (const [body, status, more] of [
      ['{nonsense', 400, {}],
      ['', 400, {}],
      // A batch would be a hundred requests, but the rate limit would count it as a single one.
      [' [{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400, {}],
      ['{}', 415, { 'content-type': 'text/plain' }],
      [`"${'x'.repeat(2_000_000)}"`, 413, {}],
    ] as const) {
      const refused = await send(body, more)
      assert.equal(refused.status, status)
      const told = JSON.stringify(await refused.json())
      assert.match(told, /"(error|message)":/, told)
    }
    const response = await fetch(`${address}/mcp`, { headers })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
  })
})

suite('limits of the Model Context Protocol', () => {
  test('the rate limit of a chatbot holds for each token, however many sessions', async (t) => {
    const server = await startTestServer(t)
    const settings = { rate_limit: [2, 3600], rate_limit_message: 'Slow down, please.' }
    const chatbot = await server.owner.createChatbot(settings)
    const client = await connect(server.address, server.owner.token)
    const ask = () =>
      client.callTool({ name: 'ask_chatbot', arguments: { chatbot, question: 'Hello?' } })
    const results = await Promise.all([ask(), ask(), ask()])
    assert.equal(results.filter(({ isError }) => isError).length, 1)
    assertFailure(await ask(), 'Slow down, please.')
    await client.close()
    const { body: sessions } = await server.owner.json('GET', `/chatbot/${chatbot}/sessions`)
    assert.equal(sessions.length, 2, 'what was refused leaves nothing')
  })

  test('requests are counted by token and by address', async (t) => {
    for (const limit of ['RATE_LIMIT_PER_TOKEN', 'RATE_LIMIT_PER_ADDRESS']) {
      const server = await startTestServer(t, { environment: { [limit]: '3/3600' } })
      const send = (path: string) =>
        fetch(server.address + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.owner.token}` },
        })
      let last = 0
      for (let i = 0; i < 4; i++) last = (await send(i % 2 ? '/mcp' : '//mcp')).status
      assert.equal(last, 429, limit)
    }
  })

  test('a model that fails is a result that says so, and nothing of why', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const chatbot = await server.owner.createChatbot()
    const client = await connect(server.address, server.owner.token)
    script.fail('secret details')
    const result = await client.callTool({
      name: 'ask_chatbot',
      arguments: { chatbot, question: 'Hello?' },
    })
    assertFailure(result, 'The language model failed.')
    await client.close()
  })
})

suite('docent mcp', async () => {
  const { owner, stranger, address } = await startTestServer({ after })
  const chatbot = await owner.createChatbot({ name: 'Museum guide', show_citations: true })
  await owner.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')
  const theirs = await stranger.createChatbot({ name: 'Theirs' })

  const open = async (token: string, mode: 'auto' | 'legacy' = 'auto', url = address) => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [
        '--disable-warning=ExperimentalWarning',
        join(import.meta.dirname, '../../cli.ts'),
        'mcp',
      ],
      env: { DOCENT_URL: url, DOCENT_TOKEN: token },
      stderr: 'pipe',
    })
    let complaints = ''
    transport.stderr?.on('data', (chunk) => {
      complaints += chunk
    })
    await client.connect(transport).catch((error) => {
      throw new Error(`${complaints}${error.message}`)
    })
    return client
  }

  test('offers the same tools over standard input and output, in both revisions', async () => {
    for (const mode of ['auto', 'legacy'] as const) {
      const client = await open(owner.token, mode)
      assert.equal((await client.listTools()).tools.length, 4)
      const call = (name: string, args: object): Promise<Result> =>
        client.callTool({ name, arguments: { ...args } })
      const asked = await call('ask_chatbot', { chatbot, question: 'When are you open?' })
      assert.equal(asked.structuredContent.answer, 'Daily from 9 to 17. [1.1]')
      assert.equal(asked.structuredContent.citations[0].quote, 'Daily from 9 to 17.')
      const { session } = asked.structuredContent
      await call('ask_chatbot', { chatbot, question: 'And why?', session })
      assert.equal((await owner.messages(session)).length, 2)
      assert.deepEqual((await call('list_chatbots', {})).structuredContent.chatbots, [
        { uuid: chatbot, name: 'Museum guide' },
      ])
      const { sources } = (await call('list_sources', { chatbot })).structuredContent
      assert.equal(sources[0].status, 'success')
      const found = await call('search_passages', {
        chatbot: 'Museum guide',
        query: 'opening hours',
      })
      assert.match(found.structuredContent.passages[0].text, /Daily from 9/)

      const foreign = await call('list_sources', { chatbot: theirs })
      assert.equal(foreign.isError, true)
      assert.match(foreign.content[0].text, /^There is no chatbot/)
      assert.equal((await call('ask_chatbot', { chatbot })).isError, true)
      await assert.rejects(call('drop_tables', {}), /drop_tables/)
      await client.close()
    }
  })

  test('answers all that was piped in before the input ended, then ends', async (t) => {
    const call = (id: number, name: string, args: object = {}) => {
      const params = { name, arguments: args }
      return { jsonrpc: '2.0', id, method: 'tools/call', params }
    }
    const requests = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'test', version: '1' },
        },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      call(3, 'ask_chatbot', { chatbot, question: 'When are you open?' }),
      call(4, 'list_chatbots'),
      call(5, 'drop_tables'),
    ]
    const environment = { DOCENT_URL: address, DOCENT_TOKEN: owner.token }
    const running = startDocent(t, ['mcp'], environment, import.meta.dirname)
    running.process.stdin!.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
    const { code, stdout } = await running.ended
    assert.equal(code, 0)
    const answers: Result[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3, 4, 5])
    const { result } = answers.find(({ id }) => id === 3)
    assert.equal(result.structuredContent.answer, 'Daily from 9 to 17. [1.1]')
  })

  test('ends though a request was taken back and is never answered', async (t) => {
    const environment = { DOCENT_URL: address, DOCENT_TOKEN: owner.token }
    const running = startDocent(t, ['mcp'], environment, import.meta.dirname)
    const question = { chatbot, question: 'When are you open?' }
    const params = { name: 'ask_chatbot', arguments: question }
    for (const message of [
      { id: 1, method: 'tools/call', params },
      { method: 'notifications/cancelled', params: { requestId: 1 } },
    ])
      running.process.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    running.process.stdin!.end()
    assert.deepEqual(await running.ended, { code: 0, stdout: '', stderr: '' })
  })

  test('ends at once with a wrong token or without a server, and says why', async () => {
    await assert.rejects(open('docent_wrong', 'legacy'), /unknown, expired or revoked/)
    await assert.rejects(
      open(owner.token, 'legacy', 'http://127.0.0.1:9'),
      /Check that the server is running/,
    )
  })
})

async function connect(
  address: string,
  token: string,
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${address}/mcp`), {
    requestInit: { headers },
  })
  await client.connect(transport)
  return client
}

function assertFailure(result: Result, message: string): void {
  assert.equal(result.isError, true)
  assert.deepEqual(result.content, [{ type: 'text', text: message }])
}
