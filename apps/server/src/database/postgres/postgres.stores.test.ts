import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Client, startTestServer, temporaryFolder, until } from '../../../test/harness.ts'
import { docent, docentOn, runForJson } from '../../../test/run-docent.ts'
import {
  addressOf,
  administer,
  createEmptyDatabase,
  ONLY_POSTGRES,
  openTestDatabase,
  TEST_SERVER,
} from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import { createUser } from '../../features/accounts/users.store.ts'
import {
  createChatbot,
  getOwnedChatbot,
  settingsOf,
  updateChatbot,
} from '../../features/chatbots/chatbots.store.ts'
import { runAtomically } from '../database.ts'
import { lockKeys } from '../dialect.ts'
import { openDatabase } from '../open-database.ts'

const open = (databaseUrl: string) =>
  openDatabase({ dataDir: '', databaseUrl, databaseConnections: 3 })

suite('a PostgreSQL', ONLY_POSTGRES, () => {
  test('gets its schema once, however many nodes start together', async (t) => {
    const url = await createEmptyDatabase(t)
    const nodes = await Promise.all(Array.from({ length: 4 }, () => open(url)))
    const { rows } = await sql`SELECT name FROM kysely_migration`.execute(nodes[0]!.db)
    assert.ok(rows.length >= 1)
    await Promise.all(nodes.map(({ close }) => close()))
  })

  test('of a newer version is refused and left as it is', async (t) => {
    const url = await createEmptyDatabase(t)
    const { db, close } = await open(url)
    await sql`INSERT INTO kysely_migration VALUES ('9999-from-the-future', '2030-01-01')`.execute(
      db,
    )
    await close()
    await assert.rejects(open(url), /written by a newer version of Docent/)
    const folder = temporaryFolder(t)
    const looked = await docent(folder, ['doctor'], { DATABASE_URL: url })
    assert.equal(looked.code, 1)
    assert.match(looked.stdout, /^WRONG database: .*newer version of Docent/m)
    const kept = await docent(folder, ['backup', `${folder}/backup`], { DATABASE_URL: url })
    assert.notEqual(kept.code, 0)
    assert.match(kept.stderr, /newer version of Docent/)
  })

  test('that can’t be used is named with what to do about it', async (t) => {
    const url = await createEmptyDatabase(t)
    await assert.rejects(open('postgres://postgres@127.0.0.1:1/x'), /no server responds at 127/)
    await assert.rejects(
      open(addressOf(TEST_SERVER!, 'nowhere')),
      /no database "nowhere".*createdb/,
    )
    const user = `reader_${Date.now()}`
    await administer(url, `CREATE ROLE ${user} LOGIN`)
    t.after(() => administer(TEST_SERVER!, `DROP ROLE IF EXISTS ${user}`))
    const asReader = new URL(url)
    asReader.username = user
    await assert.rejects(open(asReader.href), /cannot create tables.*GRANT CREATE/)
    await administer(url, `GRANT CREATE ON SCHEMA public TO ${user}`)
    await assert.rejects(open(asReader.href), /cannot create the extension.*CREATE EXTENSION/)
    await administer(url, `REVOKE ALL ON SCHEMA public FROM ${user}`)
  })

  test('undoes a unit whose condition is not met, and runs on', async (t) => {
    const { db } = await openTestDatabase(t, temporaryFolder(t))
    const { id } = await createUser(db, 'a')
    const rename = (name: string) => db.updateTable('users').set({ name }).returning('id')
    const unmet = rename('c').where('id', '=', 'nobody').compile()
    const isWritten = await runAtomically(db, [
      { query: rename('b').where('id', '=', id).compile(), mustReturn: true },
      { query: unmet, mustReturn: true },
    ])
    assert.equal(isWritten, false)
    const users = () => db.selectFrom('users').select('name').execute()
    assert.deepEqual(await users(), [{ name: 'a' }])
    assert.equal(await runAtomically(db, [{ query: unmet }]), true)
  })

  test('sends writers back that wait for each other, and they try again', async (t) => {
    const { db } = await openTestDatabase(t, temporaryFolder(t))
    const users = await Promise.all(['a', 'b'].map((name) => createUser(db, name)))
    const touch = (id: string) => ({
      query: db
        .updateTable('users')
        .set({ modified_at: sql`modified_at + 1` })
        .where('id', '=', id)
        .compile(),
    })
    const wait = { query: sql`SELECT pg_sleep(0.2)`.compile(db) }
    const [one, other] = users.map(({ id }) => touch(id))
    await Promise.all([
      runAtomically(db, [one!, wait, other!]),
      runAtomically(db, [other!, wait, one!]),
    ])
    const after = await db.selectFrom('users').select(['id', 'modified_at']).execute()
    for (const { id, modified_at } of after) {
      assert.equal(modified_at, users.find((user) => user.id === id)!.modified_at + 2)
    }
  })

  test('keeps units that lock the same key apart', async (t) => {
    const { db } = await openTestDatabase(t, temporaryFolder(t))
    const { id } = await createUser(db, 'a')
    // Reads the value at its beginning and writes it at its end, so an overlap would lose an update.
    const grow = sql`UPDATE users SET name = (SELECT name FROM users WHERE id = ${id}) || 'x' WHERE id = ${id}`
    const units = Array.from({ length: 12 }, () =>
      runAtomically(db, [...lockKeys(db, ['k', 'j']), { query: grow.compile(db) }]),
    )
    await Promise.all(units)
    const [user] = await db.selectFrom('users').select('name').execute()
    assert.equal(user!.name, `a${'x'.repeat(12)}`)
  })

  test('may cut all connections at any moment: what is asked next is answered', async (t) => {
    const { owner, config } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const database = new URL(config.databaseUrl!).pathname.slice(1)
    for (let i = 0; i < 5; i++) {
      await administer(
        TEST_SERVER!,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
      )
      assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).status, 200)
    }
  })

  test('takes text with characters that it has none for', async (t) => {
    const { db } = await openTestDatabase(t, temporaryFolder(t))
    const { id: owner } = await createUser(db, 'a')
    const settings = { prompt: 'zero \0, half \ud800, written \\u0000' }
    const { id } = await createChatbot(db, owner, { name: 'a\0b', settings })
    await updateChatbot(db, owner, id, { settings: { temperature: 1 } })
    const chatbot = await getOwnedChatbot(db, owner, id)
    assert.equal(chatbot.name, 'a\ufffdb')
    assert.equal(settingsOf(chatbot).prompt, 'zero \ufffd, half \ufffd, written \\u0000')
    assert.equal(settingsOf(chatbot).temperature, 1)
  })
})

test('the commands work on it', ONLY_POSTGRES, async (t) => {
  const server = await startTestServer(t)
  const { token } = await runForJson(server, ['token', 'create', '--name', 'made'])
  assert.equal((await new Client(server.address, token).json('GET', '/user')).status, 200)
  const doctor = await docentOn(server, ['doctor'])
  assert.equal(doctor.code, 0, doctor.stdout)
  assert.match(doctor.stdout, /^ok {4}database$/m)
  const DATABASE_URL = addressOf(TEST_SERVER!, 'nowhere')
  const wrong = await docentOn(server, ['doctor'], { DATABASE_URL })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stdout, /^WRONG database: .*no database "nowhere"/m)
})

test('a server that is away for long is told of as 503', ONLY_POSTGRES, async (t) => {
  const { owner, config, services } = await startTestServer(t)
  await owner.createChatbot()
  const database = new URL(config.databaseUrl!).pathname.slice(1)
  await administer(TEST_SERVER!, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
  await administer(
    TEST_SERVER!,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
  )
  const refused = await until(async () => {
    const answer = await owner.json('GET', '/chatbots')
    return answer.status === 200 ? undefined : answer
  })
  assert.equal(refused.status, 503)
  assert.ok(refused.headers.get('retry-after'))
  await administer(TEST_SERVER!, `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
  await until(async () =>
    (await owner.json('GET', '/chatbots')).status === 200 ? true : undefined,
  )
  assert.ok(services.node)
})

test('an address that is no PostgreSQL’s is a bad setting', () => {
  for (const url of ['mysql://x/y', 'nonsense', 'http://x']) {
    assert.throws(() => readConfig({ DATABASE_URL: url }), /DATABASE_URL: must be a postgres/)
  }
})
