import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { type Client, startTestServer, type TestServer, until } from '../../../test/harness.ts'
import { ONLY_POSTGRES } from '../../../test/test-database.ts'
import { watchAnalytics } from '../../../test/watch-analytics.ts'
import { isPostgres } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'

/** A chatbot whose list of unanswered questions never ends: an endless view replaces the table. */
async function makeEndless({ owner, services: { db } }: TestServer): Promise<string> {
  const chatbot = await owner.createChatbot()
  const session = await owner.createSession(chatbot)
  const now = { created_at: Date.now(), modified_at: Date.now() }
  const asked = { session_id: session, query: 'Any zebras?', meta: '{"answered":false}', ...now }
  await db
    .insertInto('messages')
    .values({ id: newId(), feedback: null, finish_reason: 'stop', ...asked })
    .execute()
  await sql`ALTER TABLE settled_questions RENAME TO once_settled_questions`.execute(db)
  const numbers = isPostgres(db)
    ? sql`SELECT n FROM generate_series(1, 1000000000) AS n WHERE pg_sleep(0.01)::text IS NOT NULL`
    : sql`WITH RECURSIVE endless (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM endless WHERE is_wanted(n)
      ) SELECT n FROM endless`
  await sql`CREATE VIEW settled_questions AS
    SELECT 'number ' || n AS message_id FROM (${numbers}) AS numbers`.execute(db)
  return chatbot
}

function startReport(client: Client, chatbot: string) {
  const leaving = new AbortController()
  const answer = fetch(`${client.base}/chatbot/${chatbot}/unanswered`, {
    headers: { authorization: `Bearer ${client.token}` },
    signal: leaving.signal,
  })
  const left = answer.then(
    () => assert.fail('it was answered'),
    () => {},
  )
  left.catch(() => {})
  return { answer, left, leave: () => leaving.abort() }
}

const is = (condition: boolean) => condition || undefined

suite('a report that never ends', () => {
  test('delays no question, and of other owners no report', async (t) => {
    const server = await startTestServer(t)
    const { owner, stranger, services } = server
    const { analytics } = services
    const theirs = await stranger.createChatbot()
    await stranger.createPair(theirs, 'When are you open?', 'Daily from 9 to 17.')
    const session = await stranger.createSession(theirs)
    const ask = async () => (await stranger.ask(session, 'When are you open?')).text()
    await ask()
    const chatbot = await makeEndless(server)
    const first = startReport(owner, chatbot)
    await until(() => is(analytics.running === 1))
    const others = Array.from({ length: 7 }, () => startReport(owner, chatbot))
    await until(() => is(analytics.waiting === 7))

    assert.match(await ask(), /9 to 17/)
    assert.equal(analytics.running, 1)
    assert.equal(analytics.waiting, 7)

    const days = stranger.json('GET', `/chatbot/${theirs}/usage/days`)
    // On SQLite the only thread is busy. On PostgreSQL another connection is free.
    if (!isPostgres(services.db)) {
      await until(() => is(analytics.waiting === 8))
      first.leave()
      await first.left
    }
    const { status, body } = await days
    assert.equal(status, 200)
    assert.equal(body[0].messages, 2)
    assert.ok(analytics.waiting >= 6, `${analytics.waiting} of the first owner still wait`)

    for (const { leave } of [first, ...others]) leave()
    await Promise.all([first, ...others].map(({ left }) => left))
    await until(() => is(analytics.running + analytics.waiting === 0))
  })

  test('stops when its caller leaves, and so do those that wait', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const { analytics } = services
    const chatbot = await makeEndless(server)
    const reports = Array.from({ length: 6 }, () => startReport(owner, chatbot))
    await until(() => is(analytics.running + analytics.waiting === 6))
    for (const { leave } of reports) leave()
    await Promise.all(reports.map(({ left }) => left))
    await until(() => is(analytics.running + analytics.waiting === 0))
    const { status, body } = await owner.json('GET', `/chatbot/${chatbot}/usage/days`)
    assert.equal(status, 200)
    assert.equal(body[0].messages, 1)
  })

  test('stops on the database server, too', ONLY_POSTGRES, async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const chatbot = await makeEndless(server)
    const running = async () => {
      const { rows } = await sql<{ pid: number }>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
        AND query LIKE '%settled_questions%' AND pid <> pg_backend_pid()`.execute(services.db)
      return rows.length
    }
    const report = startReport(owner, chatbot)
    await until(async () => is((await running()) === 1))
    report.leave()
    await report.left
    await until(async () => is((await running()) === 0))
  })

  test('is refused when too many of its owner wait', async (t) => {
    const server = await startTestServer(t)
    const { owner, stranger, services, address } = server
    const { analytics } = services
    const chatbot = await makeEndless(server)
    const reports = Array.from({ length: 11 }, () => startReport(owner, chatbot))
    await until(() => is(analytics.running + analytics.waiting === 11))
    const refused = await owner.json('GET', `/chatbot/${chatbot}/unanswered`)
    assert.equal(refused.status, 429)
    assert.equal(refused.body.code, 'rate_limited')
    assert.deepEqual(refused.body.details, { limit: 'analytics' })
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const metrics = await (await fetch(`${address}/metrics`)).text()
    assert.match(metrics, /^docent_refusals_total\{limit="analytics"\} 1$/m)
    const theirs = startReport(stranger, await stranger.createChatbot())
    for (const { leave } of reports) leave()
    await Promise.all(reports.map(({ left }) => left))
    assert.equal((await theirs.answer).status, 200)
  })

  test('is ended after ten seconds with a sentence that says what to do', async (t) => {
    const server = await startTestServer(t)
    const { owner } = server
    const chatbot = await makeEndless(server)
    const late = await owner.json('GET', `/chatbot/${chatbot}/unanswered`)
    assert.equal(late.status, 504)
    assert.equal(late.body.code, 'took_too_long')
    assert.match(late.body.error, /longer than 10 seconds/)
    assert.deepEqual(late.body.details, { limit: 'analytics' })
    assert.equal((await owner.json('GET', `/chatbot/${chatbot}/usage/days`)).status, 200)
  })
})

test('reports and lists of conversations run where nothing else does', async (t) => {
  const { owner, services } = await startTestServer(t)
  const chatbot = await owner.createChatbot()
  const session = await owner.createSession(chatbot)
  await (await owner.ask(session, 'Any zebras?')).text()
  let reports = 0
  watchAnalytics(services.analytics, () => {
    reports += 1
  })
  const elsewhere: string[] = []
  for (const db of [services.db, services.searchDb]) {
    const executor = db.getExecutor()
    const executeQuery = executor.executeQuery.bind(executor)
    executor.executeQuery = (query) => {
      if (/\bmessages\b|message_totals/.test(query.sql)) elsewhere.push(query.sql)
      return executeQuery(query)
    }
  }
  for (const path of [
    'usage/days',
    'unanswered',
    'conversations',
    'conversations?search=zebras',
    'conversations?rating=up',
    'conversations/export',
  ]) {
    const before = reports
    const response = await owner.send('GET', `/chatbot/${chatbot}/${path}`)
    assert.equal(response.status, 200, path)
    await response.text()
    assert.ok(reports > before, path)
  }
  assert.deepEqual(elsewhere, [])
})
