import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { suite, type TestContext, test } from 'node:test'
import { flipBit } from '../../test/files/change-sealed.ts'
import { Client, temporaryFolder } from '../../test/harness.ts'
import { makeSmallDisk, needsMounting } from '../../test/machine/small-disk.ts'
import { docent, LAUNCHER, serve, startOnFile } from '../../test/run-docent.ts'
import { administer, createEmptyDatabase, ONLY_POSTGRES } from '../../test/test-database.ts'
import { openDatabase } from '../database/open-database.ts'
import { moveStore } from './move-store.ts'
import { STORE_TABLES } from './store-tables.ts'

const DATABASE = join(import.meta.dirname, '../database')
const mounting = needsMounting()
const PRICE = 'Admission is 12 euros for adults.'

/**
 * Tables that are not copied row by row: passages have their own copy, some are derived from others, and some are
 * short-lived, such as nodes and rate-limit counts.
 */
const OTHER_TABLES: readonly string[] = [
  ...['passages', 'passage_vectors', 'embedders'],
  ...['passage_words', 'passage_terms', 'passage_counts', 'word_counts', 'hidden_builds'],
  ...[
    'message_totals',
    'token_reservations',
    'rate_hits',
    'request_counts',
    'nodes',
    'running_answers',
    'duties',
    'shared_values',
  ],
  ...['kysely_migration', 'kysely_migration_lock'],
]

async function makeChatbot(client: Client): Promise<string> {
  const chatbot = await client.createChatbot({ name: 'Guide', show_citations: true })
  await client.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')
  const rules = Array.from({ length: 110 }, (_, i) =>
    `Rule ${i} of the house \u{1F3DB}. `.repeat(20),
  )
  for (const [name, text] of [
    ['prices.txt', PRICE],
    ['rules.txt', rules.join('\n\n')],
  ] as const) {
    const { uuid } = (await (await client.upload(chatbot, name, text)).json()) as { uuid: string }
    assert.equal((await client.settled(uuid)).status, 'success')
  }
  return chatbot
}

/** Everything that a client can see of a chatbot. */
async function lookAt(client: Client, chatbot: string) {
  const get = async (path: string) => (await client.json('GET', path)).body
  const sources = await get(`/chatbot/${chatbot}/data-sources`)
  const sessions = await get(`/chatbot/${chatbot}/sessions`)
  return {
    chatbots: await get('/chatbots'),
    sources,
    sessions,
    messages: await Promise.all(
      sessions.map(({ uuid }: { uuid: string }) => client.messages(uuid)),
    ),
    passages: await Promise.all(
      sources.map(async ({ uuid }: { uuid: string }) =>
        (await get(`/data-source/${uuid}/passages`)).map(
          ({ uuid: _, id: __, ...rest }: Record<string, unknown>) => rest,
        ),
      ),
    ),
  }
}

async function ask(client: Client, chatbot: string, question: string) {
  const response = await client.ask(await client.createSession(chatbot), question)
  const text = await response.text()
  const path = `/message/${response.headers.get('x-message-uuid')}/citations/verify`
  return { text, verified: (await client.json('GET', path)).body.verified }
}

async function startOn(t: TestContext, folder: string, token: string, url?: string) {
  const child = await serve(folder, url === undefined ? {} : { DATABASE_URL: url })
  t.after(() => child.process.kill('SIGKILL'))
  return { child, client: new Client(child.address, token) }
}

test('every table of the schema is moved, or there is a reason why not', () => {
  const read = (file: string) => readFileSync(join(DATABASE, file), 'utf8')
  const made = (text: string) =>
    [...text.matchAll(/CREATE (?:VIRTUAL |UNLOGGED )?TABLE "?(\w+)"?/g)].map(([, name]) => name!)
  const known = new Set([...STORE_TABLES.map(({ name }) => name), ...OTHER_TABLES])
  const migrations = globSync('migrations/*.{sql,ts}', { cwd: DATABASE })
  const all = ['schema.sql', ...migrations].flatMap((file) => made(read(file)))
  assert.ok(all.length > 40)
  assert.deepEqual(
    all.filter((name) => !known.has(name)),
    [],
  )
})

suite('docent move', ONLY_POSTGRES, () => {
  test('carries everything to PostgreSQL and back, and loses nothing that is written meanwhile', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    const url = await createEmptyDatabase(t)
    const chatbot = await makeChatbot(client)
    await ask(client, chatbot, 'When is the museum open?')
    const move = (...args: string[]) => docent(folder, ['move', '--to', url, ...args])
    const first = await move()
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /run the same command with --finish/)

    await client.json('POST', `/chatbot/${chatbot}/update`, { name: 'Renamed' })
    await client.createPair(chatbot, 'Is there a café?', 'Yes, on the first floor.')
    const [gone] = (await client.json('GET', `/chatbot/${chatbot}/data-sources`)).body
    await client.json('POST', `/data-source/${gone.uuid}/delete`)
    await ask(client, chatbot, 'Is there a café?')
    const early = await move('--finish')
    assert.equal(early.code, 1)
    assert.match(early.stderr, /Another Docent server is using the data folder/)
    await assert.rejects(serve(temporaryFolder(t), { DATABASE_URL: url }), /was interrupted/)
    const before = await lookAt(client, chatbot)
    assert.equal(await child.end('SIGTERM'), 0)

    const { tables, finished, changes } = (await move('--finish', '--json')).json()
    assert.equal(finished, true)
    assert.equal(tables.passages.rows, before.passages.flat().length)
    assert.equal(tables.messages.rows, 2)
    assert.ok(changes < 40, `${changes} changes: only what differed was written`)
    assert.ok(existsSync(join(folder, 'docent.db')), 'the old file is kept')
    await assert.rejects(serve(folder), /was moved to postgres:.*Set DATABASE_URL/)
    assert.match((await docent(folder, ['token', 'list'])).stderr, /was moved to/)

    // The last step can be repeated until a server has started on the new database.
    assert.equal((await move('--finish', '--json')).json().changes, 0)
    const moved = await startOn(t, folder, client.token, url)
    assert.equal(moved.child.token, undefined)
    assert.match((await move()).stderr, /The target database is not empty/)
    assert.deepEqual(await lookAt(moved.client, chatbot), before)
    for (const [question, answer] of [
      ['What is the admission for adults?', `${PRICE} [1.1]`],
      ['Is there a café?', 'Yes, on the first floor. [1.1]'],
    ] as const)
      assert.deepEqual(await ask(moved.client, chatbot, question), { text: answer, verified: true })
    await moved.client.createChatbot({ name: 'Made on PostgreSQL' })

    const back = (...args: string[]) =>
      docent(folder, ['move', '--to', 'sqlite', ...args], { DATABASE_URL: url })
    assert.equal((await back()).code, 0)
    assert.match((await back('--finish')).stderr, /1 Docent servers are using the database/)
    const then = await lookAt(moved.client, chatbot)
    assert.equal(await moved.child.end('SIGTERM'), 0)
    const finishing = await back('--finish')
    assert.equal(finishing.code, 0, finishing.stderr)
    await assert.rejects(serve(temporaryFolder(t), { DATABASE_URL: url }), /Remove DATABASE_URL/)
    const again = await startOn(t, folder, client.token)
    assert.deepEqual(await lookAt(again.client, chatbot), then)
    assert.deepEqual(await ask(again.client, chatbot, 'What is the admission for adults?'), {
      text: `${PRICE} [1.1]`,
      verified: true,
    })
  })

  test('that is killed at any step leaves the old store in charge, and goes on when it is run again', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    const url = await createEmptyDatabase(t)
    const chatbot = await makeChatbot(client)
    for (let i = 0; i < 30; i++) await client.createChatbot({ name: `bot ${i}` })
    const before = await lookAt(client, chatbot)
    for (const step of ['users', 'sources', 'revisions', 'messages']) {
      const moving = spawn(process.execPath, [LAUNCHER, 'move', '--to', url], {
        env: { DATA_DIR: folder },
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      for await (const line of createInterface(moving.stdout)) {
        if (!line.startsWith(`${step}: `)) continue
        process.kill(-moving.pid!, 'SIGKILL')
        break
      }
      if (moving.exitCode === null && moving.signalCode === null) await once(moving, 'exit')
      assert.deepEqual(await lookAt(client, chatbot), before, 'the old one serves')
    }
    assert.equal(await child.end('SIGTERM'), 0)
    const finishing = await docent(folder, ['move', '--to', url, '--finish'])
    assert.equal(finishing.code, 0, finishing.stderr)
    const moved = await startOn(t, folder, client.token, url)
    assert.deepEqual(await lookAt(moved.client, chatbot), before)
  })

  test('whose copy differs is not finished, and the old store stays in charge', async (t) => {
    const { folder, child, client } = await startOnFile(t)
    const url = await createEmptyDatabase(t)
    await client.createChatbot({ name: 'Kept' })
    assert.equal((await docent(folder, ['move', '--to', url])).code, 0)
    await administer(
      url,
      `CREATE FUNCTION spoil() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN NEW.name := 'spoilt'; RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT OR UPDATE ON chatbots FOR EACH ROW EXECUTE FUNCTION spoil()`,
    )
    await client.createChatbot({ name: 'New' })
    await child.end('SIGTERM')
    const { code, stderr } = await docent(folder, ['move', '--to', url, '--finish'])
    assert.equal(code, 1)
    assert.match(stderr, /The copy of chatbots differs .*The old database stays in use/)
    await assert.rejects(serve(temporaryFolder(t), { DATABASE_URL: url }), /was interrupted/)
    const again = await startOn(t, folder, client.token)
    assert.equal((await again.client.json('GET', '/chatbots')).body.length, 2)
  })

  test('is not finished when a server has come meanwhile', async (t) => {
    const url = await createEmptyDatabase(t)
    await (await serve(temporaryFolder(t), { DATABASE_URL: url })).end('SIGTERM')
    const script = `import('pg').then(async ({ default: { Client } }) => {
      const client = new Client(process.argv[1])
      await client.connect()
      await client.query("INSERT INTO nodes VALUES (repeat('a', 32), 9000000000000000) ON CONFLICT DO NOTHING")
      await client.end()
    })`
    let lines = 0
    const say = () => {
      lines += 1
      spawnSync(process.execPath, ['-e', script, url], { cwd: import.meta.dirname })
    }
    const from = { dataDir: temporaryFolder(t), databaseUrl: url, databaseConnections: 4 }
    const to = { ...from, dataDir: temporaryFolder(t), databaseUrl: undefined }
    await assert.rejects(moveStore(from, to, { finish: true, say }), /1 Docent servers are using/)
    assert.ok(lines > 0)
    await assert.rejects(serve(to.dataDir), /was interrupted/)
    await (await serve(from.dataDir, { DATABASE_URL: url })).end('SIGTERM')
  })

  test('that finds no room on the disk says so, and leaves no half mark', mounting, async (t) => {
    const url = await createEmptyDatabase(t)
    await (await openDatabase({ dataDir: '', databaseUrl: url, databaseConnections: 3 })).close()
    const disk = makeSmallDisk(t, 1)
    disk.fill(0)
    const { code, stderr } = await docent(disk.folder, ['move', '--to', 'sqlite'], {
      DATABASE_URL: url,
    })
    assert.equal(code, 1)
    assert.match(stderr, /^The disk is full\..*\n$/)
    assert.deepEqual(readdirSync(disk.folder), ['filler'])
  })

  test('says what it needs', async (t) => {
    const { folder, client } = await startOnFile(t)
    await client.createChatbot({ name: 'Kept' })
    const url = await createEmptyDatabase(t)
    const other = await serve(temporaryFolder(t), { DATABASE_URL: url })
    t.after(() => other.process.kill('SIGKILL'))
    for (const [args, environment, message] of [
      [[], {}, /Give a target/],
      [['--to', 'mysql://x'], {}, /Give a target/],
      [['--to', 'sqlite'], {}, /Set DATABASE_URL/],
      [['--to', url], { DATABASE_URL: url }, /docent backup/],
      [['--to', url], {}, /The target database is not empty/],
      [['--to', 'sqlite'], { DATABASE_URL: url }, /is not empty\. Set another DATA_DIR/],
      [['--to', 'postgres://nobody@127.0.0.1:1/x'], {}, /./],
    ] as const) {
      const { code, stderr } = await docent(folder, ['move', ...args], environment)
      assert.ok(code === 1 || code === 2, args.join(' '))
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /\n {4}at /, 'no stack')
    }
  })
})

suite('docent backup of PostgreSQL', ONLY_POSTGRES, () => {
  test('is one file that can be restored to either store, while the server runs', async (t) => {
    const url = await createEmptyDatabase(t)
    const folder = temporaryFolder(t)
    const child = await serve(folder, { DATABASE_URL: url })
    t.after(() => child.process.kill('SIGKILL'))
    const client = new Client(child.address, child.token!)
    const chatbot = await makeChatbot(client)
    await ask(client, chatbot, 'When is the museum open?')
    const before = await lookAt(client, chatbot)
    const file = join(temporaryFolder(t), 'all.gz')
    const made = await docent(folder, ['backup', file], { DATABASE_URL: url })
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /^Backed up postgres.*bytes, verified/)
    assert.match(
      (await docent(folder, ['backup', file], { DATABASE_URL: url })).stderr,
      /already exists/,
    )
    await client.createChatbot({ name: 'Made afterwards' })

    const other = temporaryFolder(t)
    const toFolder = await docent(other, ['restore', file])
    assert.equal(toFolder.code, 0, toFolder.stderr)
    const empty = await createEmptyDatabase(t)
    const restore = () => docent(temporaryFolder(t), ['restore', file], { DATABASE_URL: empty })
    const toDatabase = await restore()
    assert.equal(toDatabase.code, 0, toDatabase.stderr)
    for (const restored of [
      await startOn(t, other, client.token),
      await startOn(t, temporaryFolder(t), client.token, empty),
    ]) {
      assert.deepEqual(await lookAt(restored.client, chatbot), before)
      assert.deepEqual(await ask(restored.client, chatbot, 'What is the admission for adults?'), {
        text: `${PRICE} [1.1]`,
        verified: true,
      })
    }
    assert.match((await restore()).stderr, /The target database is not empty/)
  })

  test('is not served when its restore was broken off, until it is given again', async (t) => {
    const { folder, client } = await startOnFile(t)
    for (let i = 0; i < 20; i++) await client.createChatbot({ name: `bot ${i}` })
    const file = join(temporaryFolder(t), 'all.gz')
    assert.equal((await docent(folder, ['backup', file])).code, 0)
    const url = await createEmptyDatabase(t)
    // Migrate first, so that a trigger can be put on a table.
    const first = await serve(temporaryFolder(t), { DATABASE_URL: url })
    await first.end('SIGTERM')
    await administer(
      url,
      `DELETE FROM users;
      CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON chatbots FOR EACH ROW EXECUTE FUNCTION refuse()`,
    )
    const restore = () => docent(temporaryFolder(t), ['restore', file], { DATABASE_URL: url })
    assert.equal((await restore()).code, 1)
    await assert.rejects(serve(temporaryFolder(t), { DATABASE_URL: url }), /was interrupted/)
    await administer(url, 'DROP TRIGGER refuse ON chatbots')
    const again = await restore()
    assert.equal(again.code, 0, again.stderr)
    const restored = await startOn(t, temporaryFolder(t), client.token, url)
    assert.equal((await restored.client.json('GET', '/chatbots')).body.length, 20)
  })

  test('says where nothing is to be found, and where nothing can be unpacked', async (t) => {
    const folder = temporaryFolder(t)
    const DATABASE_URL = await createEmptyDatabase(t)
    const file = join(folder, 'all.gz')
    const empty = await docent(folder, ['backup', file], { DATABASE_URL })
    assert.equal(empty.code, 1)
    assert.match(empty.stderr, /^The database postgres:.* is empty\. .*\n$/)

    const data = temporaryFolder(t)
    await (
      await openDatabase({ dataDir: data, databaseUrl: undefined, databaseConnections: 3 })
    ).close()
    assert.equal((await docent(data, ['backup', file])).code, 0)
    const TMPDIR = join(folder, 'gone')
    const restored = await docent(folder, ['restore', file], { DATABASE_URL, TMPDIR })
    assert.equal(restored.code, 1)
    assert.match(
      restored.stderr,
      /^This user cannot write to the temporary folder .*gone\. .*TMPDIR.*\n$/,
    )
  })

  test('that was damaged is refused before anything is written', async (t) => {
    const { folder } = await startOnFile(t)
    const file = join(temporaryFolder(t), 'all.gz')
    assert.equal((await docent(folder, ['backup', file])).code, 0)
    writeFileSync(file, flipBit(readFileSync(file), 0.5))
    const url = await createEmptyDatabase(t)
    const { code, stderr } = await docent(folder, ['restore', file], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(stderr, /damaged/)
    const started = await startOn(t, temporaryFolder(t), '', url)
    assert.ok(started.child.token, 'the database is as empty as before')
  })
})
