import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { startPages } from '../../../test/crawling.ts'
import { startTestServer, type TestServer, temporaryFolder, until } from '../../../test/harness.ts'
import { startEmbeddings } from '../../../test/local-embeddings.ts'
import { docentOn, LAUNCHER, runForJson as run } from '../../../test/run-docent.ts'

const PRICE = 'Admission is 12 euros for adults.'

/** A chatbot with a source of every kind, a failed source, and non-default settings. */
async function makeRichChatbot(t: TestContext, { owner }: TestServer): Promise<string> {
  const { origin } = await startPages(t, {
    '/': '<title>House</title><p>Welcome to the house.</p><a href="/soup">Soup</a>',
    '/soup': '<title>Soup</title><p>Our soup is made of pumpkins.</p>',
  })
  const settings = {
    name: 'Guide Ω',
    prompt: 'Be “kind”.',
    rate_limit: [7, 60],
    show_citations: true,
  }
  const chatbot = await owner.createChatbot(settings)
  await owner.json('POST', `/chatbot/${chatbot}/widget/update`, { color: '#123456' })
  await owner.json('POST', `/chatbot/${chatbot}/usage/budget`, { token_budget: 1_000_000 })
  const pair = await owner.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')
  await owner.json('POST', `/data-source/${pair}/update`, { title: 'Opening hours' })
  const rules = Array.from({ length: 130 }, (_, i) => `Rule ${i} of the house. `.repeat(20))
  for (const [name, text] of [
    ['prices.txt', PRICE],
    ['rules.md', `# Rules\n\n${rules.join('\n\n')}`],
    ['empty.txt', ''],
  ] as const) {
    const { uuid } = (await (await owner.upload(chatbot, name, text)).json()) as { uuid: string }
    await owner.settled(uuid)
  }
  const path = `/chatbot/${chatbot}/data-source/url`
  const site = { url: `${origin}/`, crawl: {}, refresh_hours: 24 }
  for (const body of [site, { url: `${origin}/nothing-here` }])
    await owner.settled((await owner.json('POST', path, body)).body.uuid)
  return chatbot
}

const INTRANET = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }

suite('docent export and import', () => {
  test('a chatbot comes out of another server byte for byte, and answers there at once', async (t) => {
    const first = await startTestServer(t, { environment: INTRANET })
    const chatbot = await makeRichChatbot(t, first)
    const folder = temporaryFolder(t)
    const [one, two, three] = ['1.gz', '2.gz', '3.gz'].map((name) => join(folder, name))
    await run(first, ['export', chatbot, one!])
    await run(first, ['export', 'Guide Ω', two!])
    assert.ok(readFileSync(one!).equals(readFileSync(two!)), 'the same again')
    assert.deepEqual(readdirSync(folder).sort(), ['1.gz', '2.gz'], 'nothing else is left behind')

    const second = await startTestServer(t, { environment: INTRANET })
    const imported = await run(second, ['import', one!])
    assert.equal(imported.embedded, 0, 'no vector was made anew')
    assert.notEqual(imported.uuid, chatbot)
    await run(second, ['export', imported.uuid, three!])
    assert.ok(readFileSync(one!).equals(readFileSync(three!)), 'the same out of the other server')

    const records = async ({ owner }: TestServer, uuid: string) => {
      const { body: bot } = await owner.json('GET', `/chatbot/${uuid}`)
      const { body: sources } = await owner.json('GET', `/chatbot/${uuid}/data-sources`)
      const { body: widget } = await owner.json('GET', `/chatbot/${uuid}/widget`)
      const anonymous = [bot, ...sources].map((record: object) => ({ ...record, uuid: '' }))
      return { anonymous, widget }
    }
    assert.deepEqual(await records(second, imported.uuid), await records(first, chatbot))

    const { owner } = second
    const session = await owner.createSession(imported.uuid)
    for (const [question, answer] of [
      ['When is the museum open?', 'Daily from 9 to 17. [1.1]'],
      ['What is the admission for adults?', `${PRICE} [1.1]`],
      ['What is the soup made of?', 'Our soup is made of pumpkins. [1.1]'],
    ]) {
      const response = await owner.ask(session, question!)
      assert.equal(await response.text(), answer)
      const path = `/message/${response.headers.get('x-message-uuid')}/citations/verify`
      const { body } = await owner.json('GET', path)
      assert.deepEqual(body, {
        verified: true,
        citations: [{ marker: '1.1', verified: true, reason: null }],
      })
    }
  })

  test('the same file makes several chatbots, each for its own user', async (t) => {
    const server = await startTestServer(t)
    const { owner, stranger } = server
    const chatbot = await owner.createChatbot({ name: 'Guide' })
    await owner.createPair(chatbot, 'When?', 'Daily.')
    const file = join(temporaryFolder(t), 'bot.gz')
    await run(server, ['export', chatbot, file])
    const later = await owner.createChatbot({ name: 'Later' })
    await run(server, ['import', file])
    const { uuid } = await run(server, ['import', file, '--user', 'stranger'])
    const { body: listed } = await owner.json('GET', '/chatbots')
    assert.equal(listed.length, 3)
    assert.equal(listed[2].uuid, later, 'lists are oldest first')
    assert.equal((await stranger.json('GET', `/chatbot/${uuid}`)).status, 200)
    assert.equal((await owner.json('GET', `/chatbot/${uuid}`)).status, 404)
    const { body } = await stranger.json('GET', `/chatbot/${uuid}/data-sources`)
    await stranger.json('POST', `/data-source/${body[0].uuid}/delete`)
    assert.equal((await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body.length, 1)

    const twice = await docentOn(server, ['export', 'Guide', `${file}.2`])
    assert.equal(twice.code, 1)
    assert.match(twice.stderr, /Several chatbots are named "Guide"\. Give one of these UUIDs: /)
  })

  test('what was waiting or being read is read by the server that imports it', async (t) => {
    const server = await startTestServer(t, { environment: INTRANET })
    const { origin } = await startPages(t, { '/slow': 'The tower is 50 metres high.' })
    const chatbot = await server.owner.createChatbot()
    await server.owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: `${origin}/slow`,
    })
    const file = join(temporaryFolder(t), 'bot.gz')
    await run(server, ['export', chatbot, file])
    const { uuid } = await run(server, ['import', file])
    const { body } = await server.owner.json('GET', `/chatbot/${uuid}/data-sources`)
    assert.equal((await server.owner.settled(body[0].uuid)).status, 'success')
  })

  test('passages are embedded anew only where another embedder is in use', async (t) => {
    const first = await startTestServer(t)
    const chatbot = await first.owner.createChatbot()
    await first.owner.createPair(chatbot, 'What is the admission?', PRICE)
    const file = join(temporaryFolder(t), 'bot.gz')
    await run(first, ['export', chatbot, file])

    const local = await startEmbeddings(t)
    const environment = {
      EMBEDDER: 'endpoint:test',
      EMBEDDINGS_URL: local.url,
      EMBEDDINGS_DIMENSIONS: '8',
    }
    const second = await startTestServer(t, { environment })
    const wrong = await docentOn(second, ['import', file])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /Run the import with the settings of the server/)
    assert.deepEqual((await second.owner.json('GET', '/chatbots')).body, [])

    const { uuid, embedded } = await run(second, ['import', file], environment)
    assert.equal(embedded, 1)
    const query = { query: 'What do tickets cost?' }
    const { body } = await second.owner.json('POST', `/chatbot/${uuid}/search`, query)
    assert.equal(body[0].text, PRICE, 'found by meaning')
  })

  test('an import that fails leaves nothing, and one that is killed is named by the doctor and the next', async (t) => {
    const first = await startTestServer(t)
    const chatbot = await first.owner.createChatbot({ name: 'Guide', visibility: 'public' })
    await first.owner.createPair(chatbot, 'What is the admission?', PRICE)
    const file = join(temporaryFolder(t), 'bot.gz')
    await run(first, ['export', chatbot, file])

    const local = await startEmbeddings(t)
    const EMBEDDINGS_URL = local.url
    const environment = { EMBEDDER: 'endpoint:test', EMBEDDINGS_URL, EMBEDDINGS_DIMENSIONS: '8' }
    const second = await startTestServer(t, { environment })
    const { owner, config } = second
    local.replies.push((response) => response.writeHead(401).end())
    const failed = await docentOn(second, ['import', file], environment)
    assert.equal(failed.code, 1)
    assert.deepEqual((await owner.json('GET', '/chatbots')).body, [])

    local.requests.length = 0
    local.state = () => 'hanging'
    const importing = spawn(process.execPath, [LAUNCHER, 'import', file], {
      env: {
        DATA_DIR: config.dataDir,
        ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
        ...environment,
      },
      detached: true,
    })
    await until(() => local.requests[0])
    process.kill(-importing.pid!, 'SIGKILL')
    await once(importing, 'exit')
    const { body } = await owner.json('GET', '/chatbots')
    assert.deepEqual(
      body.map(({ name, meta }: { name: string; meta: object }) => ({ name, ...meta })),
      [{ ...body[0].meta, name: 'Guide (importing)', visibility: 'private' }],
    )
    const advice = `has left "Guide \\(importing\\)" \\(${body[0].uuid}\\)\\..*docent bot delete`
    const sick = await docentOn(second, ['doctor'], environment)
    assert.equal(sick.code, 1)
    assert.match(sick.stdout, new RegExp(`^WRONG imports: .*${advice}`, 'm'))

    local.state = () => 'up'
    const next = await docentOn(second, ['import', file], environment)
    assert.match(next.stdout, /^Imported "Guide" /)
    assert.match(next.stderr, new RegExp(advice))
    await owner.json('DELETE', `/chatbot/${body[0].uuid}/delete`)
    assert.match((await docentOn(second, ['doctor'], environment)).stdout, /^ok {4}imports$/m)
    assert.equal((await docentOn(second, ['import', file], environment)).stderr, '')
  })

  test('say what they need', async (t) => {
    const server = await startTestServer(t)
    const { config, owner } = server
    await owner.createChatbot({ name: 'Guide' })
    const there = join(temporaryFolder(t), 'there.gz')
    writeFileSync(there, '')
    for (const [args, message] of [
      [['export'], /docent export CHATBOT FILE/],
      [['export', 'Guide', 'a', 'b'], /Unexpected argument "b"/],
      [['export', 'Nobody', 'x.gz'], /There is no chatbot "Nobody"/],
      [['export', 'Guide', there], /already exists.*--force/],
      [['import'], /docent import FILE/],
      [['import', 'nowhere.gz'], /There is no file .*nowhere\.gz/],
      [['import', there, '--user', 'nobody'], /docent user create nobody/],
    ] as const) {
      const { code, stderr } = await docentOn(server, [...args])
      assert.ok(code === 1 || code === 2, args.join(' '))
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
    }
    assert.equal(existsSync(join(config.dataDir, 'x.gz')), false)
  })
})
