import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectForMigration } from '@docent/server/src/database/postgres/connect-postgres.ts'
import {
  Client,
  readUntil,
  startTestServer,
  temporaryFolder,
  until,
} from '@docent/server/test/harness.ts'
import { startProvider } from '@docent/server/test/local-provider.ts'
import { serve } from '@docent/server/test/run-docent.ts'
import {
  administer,
  makeDatabase,
  ONLY_POSTGRES,
  openTestDatabase,
} from '@docent/server/test/test-database.ts'
import { sql } from 'kysely'

/** Starts a proxy to PostgreSQL that can go silent: connections stay open, but forward nothing. */
async function startSilentWay(t: TestContext, url: string) {
  const { port, hostname } = new URL(url)
  const open = new Set<Socket>()
  const way = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const end of [socket, onward]) {
      open.add(end)
      end.on('error', () => {})
    }
    socket.pipe(onward)
    onward.pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(way, 'listening')
  t.after(() => {
    way.close()
    for (const socket of open) socket.destroy()
  })
  const through = new URL(url)
  through.host = `127.0.0.1:${(way.address() as AddressInfo).port}`
  return {
    through,
    silence() {
      for (const socket of open) socket.unpipe().resume()
    },
  }
}

const statusOf = async (address: string) => (await fetch(address)).status

suite('connections to PostgreSQL that fall silent', ONLY_POSTGRES, () => {
  test('are replaced, and keep no server from working or stopping', async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const { through, silence } = await startSilentWay(t, DATABASE_URL!)
    through.searchParams.set('statement_timeout', '500')
    const child = await serve(temporaryFolder(t), { DATABASE_URL: through.href })
    t.after(() => child.process.kill('SIGKILL'))
    const owner = new Client(child.address, child.token!)
    await owner.createChatbot()

    silence()
    const first = await owner.json('GET', '/chatbots')
    assert.ok([200, 503].includes(first.status), `${first.status}`)
    await until(
      async () => ((await statusOf(`${child.address}/readyz`)) === 200 ? true : undefined),
      20_000,
    )
    assert.equal((await owner.json('GET', '/chatbots')).body.length, 1)

    silence()
    const ended = child.end('SIGTERM')
    assert.equal(await Promise.race([ended, sleep(30_000, 'still running')]), 0)
  })

  test('are told of by /readyz within its five seconds', async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const { through, silence } = await startSilentWay(t, DATABASE_URL!)
    const { address } = await startTestServer(t, { environment: { DATABASE_URL: through.href } })
    assert.equal(await statusOf(`${address}/readyz`), 200)
    silence()
    const asked = performance.now()
    assert.equal(await statusOf(`${address}/readyz`), 503)
    const seconds = (performance.now() - asked) / 1000
    assert.ok(seconds < 8, `${seconds} s`)
    assert.equal(await statusOf(`${address}/healthz`), 200)
  })

  test('keep no server from stopping, however long a statement may take, and lose nothing that was shown', async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const { through, silence } = await startSilentWay(t, DATABASE_URL!)
    const provider = await startProvider(t)
    const model = { OPENAI_BASE_URL: `${provider.address}/v1`, OPENAI_API_KEY: provider.key }
    const settings = { ...model, OPENAI_MODELS: 'local-test' }
    const folder = temporaryFolder(t)
    const child = await serve(folder, { ...settings, DATABASE_URL: through.href })
    t.after(() => child.process.kill('SIGKILL'))
    const owner = new Client(child.address, child.token!)
    const session = await owner.createSession(await owner.createChatbot())
    provider.replies.push({ ending: 'stall' })
    const answer = await owner.ask(session, 'hi')
    const shown = await readUntil(answer.body!.getReader(), 'Hello')

    silence()
    // Every database query waits from now on.
    await sleep(2_000)
    const ended = child.end('SIGTERM')
    assert.equal(await Promise.race([ended, sleep(16_000, 'still running')]), 0)

    const next = await serve(folder, { ...settings, DATABASE_URL: DATABASE_URL! })
    t.after(() => next.process.kill('SIGKILL'))
    const [message] = await new Client(next.address, child.token!).messages(session)
    assert.ok(message!.response.startsWith(shown), message!.response)
  })
})

suite('what a PostgreSQL lacks', ONLY_POSTGRES, () => {
  const refuseRows = (table: string, code: string) => `
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '${code}'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`

  for (const [code, sentence] of [
    ['53100', 'The server’s disk is full, so nothing can be saved.'],
    ['53200', 'The database is busy. Try again in a moment.'],
    ['58030', 'The server’s disk has failed.'],
    ['08006', 'The database cannot be reached. Try again in a moment.'],
    ['08P01', 'The database cannot be reached. Try again in a moment.'],
  ] as const) {
    test(`is told as 503, with when to come again (${code})`, async (t) => {
      const { owner, config } = await startTestServer(t)
      await administer(config.databaseUrl!, refuseRows('chatbots', code))
      const refused = await owner.json('POST', '/chatbot/create', { name: 'Bot' })
      assert.equal(refused.status, 503)
      assert.equal(refused.body.error, sentence)
      assert.ok(refused.headers.get('retry-after'))
      assert.equal((await owner.json('GET', '/chatbots')).status, 200)
    })
  }

  test('is told by /readyz, which tries a write', async (t) => {
    const { address, config } = await startTestServer(t)
    await administer(config.databaseUrl!, refuseRows('shared_values', '53100'))
    const ready = await fetch(`${address}/readyz`)
    assert.equal(ready.status, 503)
    const { error } = (await ready.json()) as { error: string }
    assert.equal(error, 'The server’s disk is full, so nothing can be saved.')
  })

  test('is told so at every door, and goes into the log', async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const child = await serve(temporaryFolder(t), { DATABASE_URL: DATABASE_URL! })
    t.after(() => child.process.kill('SIGKILL'))
    const chatbot = await new Client(child.address, child.token!).createChatbot()
    await administer(DATABASE_URL!, refuseRows('messages', '53100'))
    const post = async (path: string, body: object) => {
      const response = await fetch(child.address + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${child.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    const logged = (times: number) =>
      until(() => (child.output().split('"request failed"').length > times ? true : undefined))
    const messages = [{ role: 'user', content: 'Hello?' }]
    const refused = await post('/v1/chat/completions', { model: chatbot, messages })
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.match(refused.text, /server’s disk is full/)
    await logged(1)
    const called = await post('/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'ask_chatbot', arguments: { chatbot, question: 'Hello?' } },
    })
    assert.match(called.text, /server’s disk is full/)
    await logged(2)
  })

  test('puts a source off instead of failing it', async (t) => {
    const { owner, config } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    await administer(config.databaseUrl!, refuseRows('passages', '53100'))
    const pair = { question: 'When?', answer: 'Now.' }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair)
    const waiting = await until(async () => {
      const source = (await owner.json('GET', `/data-source/${body.uuid}`)).body
      const { waiting } = JSON.parse(source.meta_json)
      return waiting ? { status: source.status, waiting } : undefined
    })
    assert.equal(waiting.status, 'await')
    assert.match(waiting.waiting, /server’s disk is full/)
  })

  test('is told as 503 when it is time: statements and locks end', async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const url = new URL(DATABASE_URL!)
    url.searchParams.set('statement_timeout', '1000')
    url.searchParams.set('lock_timeout', '300')
    const { owner } = await startTestServer(t, { environment: { DATABASE_URL: url.href } })
    const chatbot = await owner.createChatbot()
    const rename = () => owner.json('POST', `/chatbot/${chatbot}/update`, { name: 'Other' })
    const hold = administer(
      DATABASE_URL!,
      'BEGIN; LOCK TABLE chatbots IN SHARE MODE; SELECT pg_sleep(2)',
    )
    const refused = await until(async () => {
      const answer = await rename()
      return answer.status === 200 ? undefined : answer
    })
    await hold
    await administer(
      DATABASE_URL!,
      `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(5); RETURN NEW; END $$;
      CREATE TRIGGER dawdle BEFORE UPDATE ON chatbots FOR EACH ROW EXECUTE FUNCTION dawdle()`,
    )
    for (const { status, headers, body } of [refused, await rename()]) {
      assert.equal(status, 503)
      assert.ok(headers.get('retry-after'))
      assert.equal(body.error, 'The database is busy. Try again in a moment.')
    }
  })
})

test(
  'whoever changes the schema waits for another as long as that takes',
  ONLY_POSTGRES,
  async (t) => {
    const { DATABASE_URL } = await makeDatabase(t)
    const handle = connectForMigration(DATABASE_URL!)
    t.after(() => handle.destroy())
    for (const name of ['statement_timeout', 'lock_timeout']) {
      const { rows } = await sql<Record<string, string>>`SHOW ${sql.raw(name)}`.execute(handle)
      assert.equal(rows[0]![name], '0', name)
    }
  },
)

test('a transaction whose connection is lost is told of as 503', ONLY_POSTGRES, async (t) => {
  const { db } = await openTestDatabase(t, temporaryFolder(t))
  await assert.rejects(
    db.transaction().execute(async (db) => {
      const cut = sql`SELECT pg_terminate_backend(pg_backend_pid())`
      await cut.execute(db)
    }),
    { code: 'unavailable' },
  )
})
