import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openDatabase } from '@docent/server/src/database/open-database.ts'
import { childrenRunning, isRunning } from '@docent/server/test/child-processes.ts'
import { startChild } from '@docent/server/test/child-server.ts'
import {
  Client,
  readUntil,
  scriptedModel,
  startTestServer,
  temporaryFolder,
  until,
} from '@docent/server/test/harness.ts'
import { startProvider } from '@docent/server/test/local-provider.ts'
import { startCli } from '@docent/server/test/run-docent.ts'
import { makeDatabase } from '@docent/server/test/test-database.ts'

const CLI = join(import.meta.dirname, '../../apps/server/src/cli.ts')

suite('a server that is told to stop', () => {
  test('lets running answers finish, takes no new work, and loses nothing', async (t) => {
    const folder = temporaryFolder(t)
    const store = await makeDatabase(t)
    const start = () =>
      startChild('apps/server/test/slow-server.ts', { DATA_DIR: folder, ...store })
    const child = await start()
    t.after(() => child.process.kill('SIGKILL'))
    const token = child.token!
    const client = new Client(child.address, token)
    const session = await client.createSession(await client.createChatbot())
    const answers = await Promise.all(['a', 'b', 'c'].map((query) => client.ask(session, query)))

    const ended = child.end('SIGTERM')
    const texts = await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(await ended, 0)

    const next = await start()
    t.after(() => next.process.kill('SIGKILL'))
    const messages = await new Client(next.address, token).messages(session)
    assert.deepEqual(messages.map(({ response }) => response).sort(), texts.sort())
    assert.deepEqual(new Set(messages.map(({ finish_reason }) => finish_reason)), new Set(['stop']))
  })

  for (const [output, signal] of [
    ['a reader that is gone', 'SIGTERM'],
    ['a full disk', 'SIGTERM'],
    ['a terminal that is closed', 'SIGHUP'],
  ] as const) {
    test(`lets running answers finish when its output goes to ${output}`, async (t) => {
      const provider = await startProvider(t)
      const model = { OPENAI_BASE_URL: `${provider.address}/v1`, OPENAI_API_KEY: provider.key }
      const { child: first, store, folder, client } = await startCli(t)
      const chatbot = await client.createChatbot()
      const session = await client.createSession(chatbot)
      await first.end('SIGTERM')
      const { port } = new URL(first.address)
      const settings = { ...store, ...model, OPENAI_MODELS: 'local-test', DATA_DIR: folder }
      const disk = openSync('/dev/full', 'w')
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', CLI, 'serve'],
        {
          env: { ...settings, PORT: port, LOG_LEVEL: 'silent' },
          stdio: ['ignore', output === 'a full disk' ? disk : 'pipe', 'inherit'],
        },
      )
      closeSync(disk)
      child.stdout?.destroy()
      t.after(() => child.kill('SIGKILL'))
      const exited = once(child, 'exit')
      await until(() =>
        fetch(`${first.address}/readyz`).then(
          ({ status }) => status === 200 || undefined,
          () => undefined,
        ),
      )
      await client.json('POST', `/chatbot/${chatbot}/update`, { model: 'local-test' })
      provider.replies.push({ held: true })
      const answer = client.ask(session, 'hi')
      await provider.called(1)
      child.kill(signal)
      await until(async () => (await fetch(`${first.address}/readyz`)).status === 503 || undefined)
      provider.release()
      assert.equal(await (await answer).text(), 'Hello world.')
      assert.equal((await exited)[0], 0)
    })
  }

  test('stores what an endless answer had, as interrupted', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const session = await server.owner.createSession(await server.owner.createChatbot())
    script.say('So far')
    const response = await server.owner.ask(session, 'hi')
    const reader = response.body!.getReader()
    await readUntil(reader, 'So far')

    const stopping = server.stop(50)
    await assert.rejects(reader.read(), 'a half answer does not look whole')
    await stopping
    const { db, close } = await openDatabase(server.config)
    const query = db.selectFrom('messages').select(['response', 'finish_reason'])
    const stored = await query.executeTakeFirst()
    await close()
    assert.deepEqual({ ...stored }, { response: 'So far', finish_reason: 'interrupted' })
    assert.equal(script.calls[0]!.aborted, true)
  })

  test('answers 503 with Retry-After, is not ready, and still alive', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, { models: [script.model] })
    const { owner, address } = server
    const session = await owner.createSession(await owner.createChatbot())
    script.say('So far')
    await owner.ask(session, 'hi')
    assert.equal((await fetch(`${address}/readyz`)).status, 200)

    const stopping = server.stop(300)
    const refused = await owner.json('GET', '/chatbots')
    assert.equal(refused.status, 503)
    assert.equal(refused.body.code, 'unavailable')
    assert.ok(refused.headers.get('retry-after'))
    assert.equal((await fetch(`${address}/readyz`)).status, 503)
    assert.equal((await fetch(`${address}/healthz`)).status, 200)
    await stopping
  })
})

suite('health', () => {
  test('metrics tell requests, streams, queue depth and the time to the first text', async (t) => {
    const { owner, address } = await startTestServer(t)
    const session = await owner.createSession(await owner.createChatbot())
    await (await owner.ask(session, 'hi')).text()
    const response = await fetch(`${address}/metrics`)
    assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
    const text = await response.text()
    assert.match(
      text,
      /docent_http_requests_total\{method="POST",route="\/api\/v1\/chatbot\/create",status="200"\} 1/,
    )
    assert.match(text, /^docent_streams 0$/m)
    assert.match(text, /^docent_queue_depth 0$/m)
    assert.match(text, /^docent_answer_first_text_seconds_count 1$/m)
    assert.match(text, /docent_answers_total\{finish_reason="stop"\} 1/)
    assert.doesNotMatch(text, /[0-9a-f]{32}/, 'no identifiers')
    assert.match(text, /^# TYPE docent_http_request_duration_seconds histogram$/m)
    const sample = /^(#.*|\w+(\{(\w+="[^"\\\n]*",?)+\})? [\d.e+-]+)$/
    for (const line of text.trimEnd().split('\n')) assert.match(line, sample)
  })

  test('how long requests took is counted up to each bound', async (t) => {
    const { owner, address } = await startTestServer(t)
    for (let i = 0; i < 5; i++) await owner.createChatbot()
    const text = await (await fetch(`${address}/metrics`)).text()
    const ofCreation = (what: string) =>
      new RegExp(`^docent_http_request_duration_seconds_${what} ([\\d.e-]+)$`, 'gm')
    const route = 'route="/api/v1/chatbot/create"'
    const buckets = [...text.matchAll(ofCreation(`bucket{le="([^"]+)",${route}}`))]
    assert.deepEqual(
      buckets.map(([, bound]) => bound),
      ['0.001', '0.005', '0.02', '0.1', '0.5', '2', '10', '+Inf'],
    )
    const counts = buckets.map(([, , count]) => Number(count))
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
      'each bound counts what is below it, too',
    )
    assert.equal(counts.at(-1), 5)
    assert.equal(Number(ofCreation(`count{${route}}`).exec(text)?.[1]), 5)
    const sum = Number(ofCreation(`sum{${route}}`).exec(text)?.[1])
    assert.ok(sum > 0 && sum < 60)
  })
})

test('a document that keeps its process busy does not outlive a server that is killed', async (t) => {
  const { child: server, client } = await startCli(t)
  const endless = `<html>${'<b>'.repeat(1_000_000)}`
  await client.upload(await client.createChatbot(), 'endless.html', endless)
  const [reader] = await until(() => {
    const readers = childrenRunning(server.process.pid!, 'document-worker')
    return readers.length > 0 ? readers : undefined
  })
  await server.end('SIGKILL')
  await until(() => (isRunning(reader!) ? undefined : true))
})

test('a server whose launcher is killed stops by itself, and leaves port and folder to the next', async (t) => {
  const folder = temporaryFolder(t)
  const store = { ...(await makeDatabase(t)), DATA_DIR: folder }
  const launcher = await startChild('apps/server/bin/docent.mjs', store, ['serve'])
  const [server] = childrenRunning(launcher.process.pid!, 'cli.ts')
  assert.ok(server)
  t.after(() => isRunning(server) && process.kill(server, 'SIGKILL'))
  await launcher.end('SIGKILL')
  await until(() => (isRunning(server) ? undefined : true))
  assert.match(launcher.output(), /Stopping\. /)
  const { port } = new URL(launcher.address)
  const next = await startChild('apps/server/bin/docent.mjs', { ...store, PORT: port }, ['serve'])
  assert.equal(await next.end('SIGTERM'), 0)
})
