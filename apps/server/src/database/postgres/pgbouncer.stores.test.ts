import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { temporaryFolder } from '../../../test/harness.ts'
import { startNodes } from '../../../test/machine/node-servers.ts'
import { type PgBouncer, startPgBouncer } from '../../../test/machine/start-pgbouncer.ts'
import { docent, serve } from '../../../test/run-docent.ts'
import {
  administer,
  createDatabase,
  createEmptyDatabase,
  ONLY_POSTGRES,
  TEST_SERVER,
  through,
} from '../../../test/test-database.ts'
import type { Database } from '../database.ts'
import { runAtomically } from '../database.ts'
import { connectPostgres } from './connect-postgres.ts'

const pooler: PgBouncer | undefined = TEST_SERVER ? await startPgBouncer(TEST_SERVER) : undefined
const ONLY_HERE = pooler
  ? ONLY_POSTGRES
  : { skip: ONLY_POSTGRES.skip || 'there is no PgBouncer 1.21+, and none can be made' }

suite('by way of a PgBouncer in transaction mode', ONLY_HERE, () => {
  let url: string
  let drop: () => Promise<void>

  before(async () => {
    const database = await createDatabase()
    drop = database.drop
    url = through(pooler!.host, database.settings.DATABASE_URL!)
  })
  after(async () => {
    await drop?.()
    await pooler?.stop()
  })

  test('a server makes its schema in an empty database, and the commands work on it', async (t) => {
    const DATABASE_URL = through(pooler!.host, await createEmptyDatabase(t))
    const folder = temporaryFolder(t)
    const server = await serve(folder, { DATABASE_URL })
    t.after(() => server.process.kill('SIGKILL'))
    assert.ok(server.token)
    const doctor = await docent(folder, ['doctor'], { DATABASE_URL })
    assert.match(doctor.stdout, /^ok {4}database$/m)
    const backup = await docent(folder, ['backup', `${folder}/backup`], { DATABASE_URL })
    assert.equal(backup.code, 0, backup.stderr)
    assert.equal(await server.end('SIGTERM'), 0)
  })

  test('two nodes take in, search, answer, change and delete as one', async (t) => {
    const nodes = await startNodes(2, {
      DATABASE_URL: url,
      DEFAULT_MODEL: 'docent-quote',
      RATE_LIMIT_PER_TOKEN: '100000/60',
    })
    t.after(() => nodes.end())
    const [first, second] = [nodes.at(0), nodes.at(1)]
    const chatbot = await first.createChatbot({ model: 'docent-quote' })
    const sources = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        [first, second][i % 2]!.createPair(
          chatbot,
          `What colour is planet ${i}?`,
          `Planet ${i} is green.`,
        ),
      ),
    )
    for (const source of sources) assert.equal((await second.settled(source)).status, 'success')
    const session = await first.createSession(chatbot)
    const answers = await Promise.all(
      [first, second, first, second].map(async (node, i) =>
        (await node.ask(session, `What colour is planet ${i}?`)).text(),
      ),
    )
    for (const [i, answer] of answers.entries())
      assert.match(answer, new RegExp(`Planet ${i} is green`))
    assert.equal((await second.messages(session)).length, 4)
    // Often enough to prepare every statement by name, on connections that other clients share.
    const renamed = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        [first, second][i % 2]!.json('POST', `/chatbot/${chatbot}/update`, { name: `Name ${i}` }),
      ),
    )
    assert.deepEqual([...new Set(renamed.map(({ status }) => status))], [200])
    const deleted = await first.json('DELETE', `/chatbot/${chatbot}/delete`)
    assert.equal(deleted.body.success, true)
    assert.deepEqual((await second.json('GET', '/chatbots')).body, [])
  })

  test('the limits of statements, locks and idle transactions hold, and none stays behind for others', async (t) => {
    const { db, searchDb } = open(
      t,
      'statement_timeout=700&lock_timeout=300&idle_in_transaction_session_timeout=400',
    )
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    t.after(() => holder.end())
    await holder.query('CREATE TABLE IF NOT EXISTS locked (n int)')
    await assert.rejects(sql`SELECT pg_sleep(20)`.execute(db), { code: '57014' })
    await assert.rejects(sql`SELECT pg_sleep(20)`.execute(searchDb), { code: '57014' })
    const unit = sql`SELECT pg_sleep(20)`.compile(db)
    await assert.rejects(runAtomically(db, [{ query: unit }]), { code: '57014' })
    await holder.query('BEGIN; LOCK TABLE locked IN ACCESS EXCLUSIVE MODE')
    const write = sql`INSERT INTO locked VALUES (1)`
    await assert.rejects(write.execute(db), { code: '55P03' })
    await assert.rejects(runAtomically(db, [{ query: write.compile(db) }]), { code: '55P03' })
    await holder.query('ROLLBACK')
    await assert.rejects(
      db.transaction().execute(async (db) => {
        await write.execute(db)
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        await write.execute(db)
      }),
      { code: 'unavailable' },
    )
    await write.execute(db)
    for (const name of [
      'statement_timeout',
      'lock_timeout',
      'idle_in_transaction_session_timeout',
    ]) {
      const { rows } = await holder.query(`SHOW ${name}`)
      assert.equal(rows[0][name], '0', name)
    }
  })

  test('searches by an index of vectors look on until they have enough', async (t) => {
    const { db, searchDb } = open(t)
    const ask = async (handle: Database) => {
      const { rows } = await sql<{ scan: string; ef: string }>`
        SELECT current_setting('hnsw.iterative_scan', true) AS scan, current_setting('hnsw.ef_search', true) AS ef,
          '[1]'::halfvec`.execute(handle)
      return rows[0]!
    }
    for (let times = 0; times < 5; times += 1) {
      const { scan, ef } = await ask(searchDb)
      assert.deepEqual({ scan, ef }, { scan: 'relaxed_order', ef: '100' })
    }
    assert.notEqual((await ask(db)).ef, '100', 'on this handle nothing is searched')
  })

  test('what was prepared before the schema changed is prepared anew', async (t) => {
    const { db } = open(t)
    await sql`CREATE TABLE changing (n int)`.execute(db)
    const read = async () => (await sql<object>`SELECT * FROM changing`.execute(db)).rows
    await sql`INSERT INTO changing VALUES (1)`.execute(db)
    for (let times = 0; times < 6; times += 1) assert.deepEqual(await read(), [{ n: 1 }])
    await sql`ALTER TABLE changing ADD COLUMN more int`.execute(db)
    for (let times = 0; times < 6; times += 1)
      assert.deepEqual(await read(), [{ n: 1, more: null }])
  })

  test('a database that refuses connections for a while is told of as away', async (t) => {
    const { db } = open(t)
    const read = () => sql`SELECT count(*) FROM users`.execute(db)
    await read()
    const name = new URL(url).pathname.slice(1)
    await administer(TEST_SERVER!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await administer(
      TEST_SERVER!,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
    )
    await assert.rejects(read(), { code: 'unavailable' })
    await administer(TEST_SERVER!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
    for (let tries = 0; ; tries += 1) {
      try {
        await read()
        break
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'unavailable')
        assert.ok(tries < 20)
      }
    }
  })

  function open(t: { after(end: () => unknown): void }, settings = '') {
    const handles = connectPostgres(`${url}${settings && `?${settings}`}`, 3)
    t.after(async () => {
      await handles.searchDb.destroy()
      await handles.db.destroy()
    })
    return handles
  }
})
