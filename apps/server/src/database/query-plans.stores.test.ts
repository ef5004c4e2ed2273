import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type CompiledQuery, sql } from 'kysely'
import { Client as PgClient } from 'pg'
import { startTestServer, type TestServer, temporaryFolder } from '../../test/harness.ts'
import { ONLY_POSTGRES, ONLY_SQLITE, openTestDatabase } from '../../test/test-database.ts'
import { readSessions } from '../features/sessions/sessions.store.ts'
import type { Database } from './database.ts'
import { readPage } from './rows/list-reader.ts'

// Explains every statement of a walk through the interface, on a database with many rows in every table.
// DOCENT_WRITE_PLANS=1 writes the plans to postgres/query-plans.md.

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** These tables stay small however large the others grow: the nodes, and the work in progress. */
const SMALL = new Set([
  'nodes',
  'duties',
  'embedders',
  'shared_values',
  'hidden_builds',
  'running_answers',
  'token_reservations',
])

test('no statement of the interface or of the workers reads a whole table', {
  ...ONLY_POSTGRES,
  timeout: 600_000,
}, async (t) => {
  const server = await startTestServer(t)
  await fill(server.services.db)
  const recorded = await record(() => walk(server))
  assert.ok(recorded.size > 60, `${recorded.size} statements`)

  const scanning: string[] = []
  const lines: string[] = []
  let bounded = 0
  for (const [text, values] of [...recorded].sort()) {
    const plan = await explain(server.services.db, text, values)
    const steps = stepsOf(plan)
    if (text.includes('from "sessions"') && text.includes('"created_at" <=')) {
      // Ids begin with their time. Without both bounds the query would read all sessions of a chatbot.
      assert.match(JSON.stringify(steps), /"Index Cond":"[^"]*id > [^"]*id <= /, text)
      bounded += 1
    }
    lines.push(`| \`${brief(text)}\` | ${steps.map(describe).join('; ') || 'no table'} |`)
    for (const step of steps) {
      const table = step['Relation Name']
      if (step['Node Type'] === 'Seq Scan' && table && !SMALL.has(table))
        scanning.push(`${table}: ${brief(text)}`)
    }
  }
  assert.deepEqual(scanning, [])
  assert.ok(bounded > 0, 'sessions were listed by their time')
  // biome-ignore lint/style/noProcessEnv: how the page is written is no setting of the product
  if (process.env.DOCENT_WRITE_PLANS) writePage(lines)
})

test(
  'sessions between two times are looked for among the ids of these times',
  ONLY_SQLITE,
  async (t) => {
    const { db } = await openTestDatabase(t, temporaryFolder(t))
    const queries: CompiledQuery[] = []
    const recording = new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'executeQuery') queries.push(args[0] as CompiledQuery)
          return Reflect.apply(value, target, args)
        }
      },
    })
    await readPage(readSessions(recording, 'bot', { from: 1e12, until: 2e12 }), undefined, 10)
    const [query] = queries
    const explained = { ...query!, sql: `EXPLAIN QUERY PLAN ${query!.sql}` }
    const { rows } = await db.executeQuery<{ detail: string }>(explained as never)
    assert.match(rows[0]!.detail, / sessions_of_chatbot \(chatbot_id=\? AND id>\? AND id<\?\)$/)
  },
)

/** The statements that `work` sends, each with the values of its first use. */
async function record(work: () => Promise<void>): Promise<Map<string, unknown[]>> {
  const statements = new Map<string, unknown[]>()
  const { query } = PgClient.prototype
  PgClient.prototype.query = function (this: PgClient, ...args: unknown[]) {
    const given = args[0] as { text?: string; values?: unknown[] } | string
    if (
      typeof given === 'object' &&
      given.text &&
      /^\s*(select|insert|update|delete|with)/i.test(given.text)
    ) {
      if (!statements.has(given.text)) statements.set(given.text, given.values ?? [])
    }
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
  } finally {
    PgClient.prototype.query = query
  }
  return statements
}

async function explain(db: Database, text: string, values: unknown[]): Promise<Plan> {
  const statement = {
    sql: `EXPLAIN (FORMAT JSON) ${text}`,
    parameters: values,
    query: { kind: 'RawNode' },
    queryId: { queryId: '' },
  }
  const { rows } = await db.executeQuery<Record<string, [{ Plan: Plan }]>>(statement as never)
  return rows[0]!['QUERY PLAN']![0].Plan
}

function stepsOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(stepsOf)].filter(
    (step) => step['Relation Name'] || step['Index Name'],
  )
}

function describe(step: Plan): string {
  return `${step['Node Type']}${step['Relation Name'] ? ` on ${step['Relation Name']}` : ''}${step['Index Name'] ? ` by ${step['Index Name']}` : ''}`
}

function brief(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('"', '').replaceAll('|', '¦').trim()
  return line.length > 160 ? `${line.slice(0, 157)}…` : line
}

function writePage(lines: string[]): void {
  const head = [
    '# Query plans',
    '',
    'The plan of PostgreSQL for each statement of a walk through the interface. The database has 2,000 chatbots, 20,000',
    'sources, 20,000 passages and 60,000 messages. The test fails when a statement reads a whole table. This command wrote',
    'the page: `DOCENT_WRITE_PLANS=1 node scripts/postgres.ts npm test -- apps/server/src/database/query-plans.stores.test.ts`',
    '',
    '| statement | plan |',
    '|---|---|',
  ]
  const file = join(import.meta.dirname, 'postgres/query-plans.md')
  writeFileSync(file, `${[...head, ...lines].join('\n')}\n`)
}

async function fill(db: Database): Promise<void> {
  const id = (kind: string, n: string) => sql.raw(`md5('${kind}' || ${n})`)
  const many = (rows: number) => sql.raw(`generate_series(1, ${rows}) AS n`)
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db)
  await run(
    sql`INSERT INTO users SELECT ${id('user', 'n')}, 'user ' || n, NULL, 0, 0 FROM ${many(500)}`,
  )
  await run(
    sql`INSERT INTO tokens SELECT ${id('token', 'n')}, ${id('user', '(n % 500 + 1)')}, 'token', ${id('hash', 'n')}, 'x', 'read', 0 FROM ${many(2_000)}`,
  )
  await run(
    sql`INSERT INTO sign_ins SELECT ${id('in', 'n')}, ${id('user', '(n % 500 + 1)')}, ${id('hash', 'n')}, 0, 9e12 FROM ${many(2_000)}`,
  )
  await run(
    sql`INSERT INTO chatbots SELECT ${id('bot', 'n')}, ${id('user', '(n % 500 + 1)')}, 'Bot', NULL, '{}', NULL, 0, 0 FROM ${many(2_000)}`,
  )
  await run(sql`INSERT INTO widgets SELECT ${id('bot', 'n')}, '{}' FROM ${many(2_000)}`)
  await run(sql`INSERT INTO sources (id, chatbot_id, owner_id, type, title, status, created_at, modified_at)
    SELECT ${id('source', 'n')}, ${id('bot', '(n % 2000 + 1)')}, ${id('user', '(n % 500 + 1)')}, 'qa', 'x', 'success', 0, 0 FROM ${many(20_000)}`)
  await run(
    sql`INSERT INTO revisions SELECT ${id('source', 'n')}, 'h', 'text', NULL, 0 FROM ${many(20_000)}`,
  )
  await run(
    sql`INSERT INTO revision_pieces (source_id, hash, starts_at, packed) SELECT ${id('source', 'n')}, 'h', 0, 'x' FROM ${many(20_000)}`,
  )
  await run(sql`INSERT INTO source_files SELECT ${id('source', 'n')}, 'x' FROM ${many(5_000)}`)
  for (const table of ['source_pages', 'source_visits', 'source_sitemaps']) {
    const columns = {
      source_pages: `'t', 'r', 0, 0, 0`,
      source_visits: `'', '', '[]', '', '', '', ''`,
      source_sitemaps: `'', '', '[]'`,
    }[table]!
    await run(
      sql`INSERT INTO ${sql.table(table)} SELECT ${id('source', 'n')}, 'http://x/', ${sql.raw(columns)} FROM ${many(5_000)}`,
    )
  }
  await run(sql`INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
    SELECT ${id('bot', '(n % 2000 + 1)')}, ${id('source', 'n')}, 'h', 'b' || n, 0, 0, 4, 'text', 'w' || n % 3000 FROM ${many(20_000)}`)
  await run(
    sql`INSERT INTO passage_words SELECT id, chatbot_id, build, '{1:1,2:2}/1000000000'::sparsevec FROM passages`,
  )
  await run(sql`INSERT INTO passage_vectors SELECT passages.id, embedders.id, chatbot_id, build,
    array_fill(1, ARRAY[dimensions])::vector::halfvec FROM passages, embedders`)
  await run(
    sql`INSERT INTO hidden_builds SELECT 'hidden' || n, ${id('bot', '(n % 2000 + 1)')}, ${id('source', 'n')}, '', ${id('claim', 'n')} FROM ${many(100)}`,
  )
  await run(
    sql`UPDATE sources SET claim_id = hidden_builds.claim_id, due_at = 9e12 FROM hidden_builds WHERE source_id = sources.id`,
  )
  await run(
    sql`INSERT INTO sessions SELECT ${id('session', 'n')}, ${id('bot', '(n % 2000 + 1)')}, 0, 0 FROM ${many(20_000)}`,
  )
  await run(
    sql`INSERT INTO visitors SELECT ${id('session', 'n')}, ${id('hash', 'n')}, 'share' FROM ${many(10_000)}`,
  )
  await run(sql`INSERT INTO messages (id, session_id, query, response, finish_reason, created_at, modified_at)
    SELECT ${id('message', 'n')}, ${id('session', '(n % 20000 + 1)')}, 'q', 'a', 'stop', 0, 0 FROM ${many(60_000)}`)
  await run(sql`INSERT INTO settled_questions SELECT ${id('message', 'n')}, 0 FROM ${many(5_000)}`)
  await run(
    sql`INSERT INTO message_parts SELECT ${id('message', 'n')}, part, 'text' FROM ${many(1_000)}, generate_series(0, 20) AS part`,
  )
  await run(sql`INSERT INTO nodes VALUES ('far', 9e12)`)
  await run(
    sql`INSERT INTO running_answers SELECT ${id('message', 'n')}, 'far' FROM ${many(1_000)}`,
  )
  await run(
    sql`INSERT INTO rate_hits SELECT ${id('session', '(n % 5000 + 1)')}, 9e12 + n FROM ${many(40_000)}`,
  )
  await run(
    sql`INSERT INTO request_counts SELECT ${id('token', 'n')}, 1, 1, 9e12 FROM ${many(5_000)}`,
  )
  await run(
    sql`INSERT INTO token_usage SELECT ${id('bot', 'n')}, '2026-01', 1, 1, 1 FROM ${many(2_000)}`,
  )
  await run(
    sql`INSERT INTO webhooks SELECT ${id('hook', 'n')}, ${id('bot', 'n')}, 'http://x/', 'message.finished', 's', 0, 0 FROM ${many(2_000)}`,
  )
  await run(sql`INSERT INTO webhook_deliveries (id, webhook_id, event, subject_id, due_at, created_at, modified_at)
    SELECT ${id('delivery', 'n')}, ${id('hook', '(n % 2000 + 1)')}, 'message.finished', 'x', CASE WHEN n % 10 = 0 THEN 9e12::bigint END, 9e12, 0 FROM ${many(20_000)}`)
  await run(sql`ANALYZE`)
}

/** Calls what owners, visitors and workers call, once each. */
async function walk({ owner, services }: TestServer): Promise<void> {
  const { json } = { json: owner.json.bind(owner) }
  const bot = await owner.createChatbot({ visibility: 'public', rate_limit: [100, 60] })
  await json('GET', `/chatbot/${bot}`)
  await json('GET', '/chatbots')
  await json('GET', '/chatbots?limit=10')
  await json('POST', `/chatbot/${bot}/update`, { name: 'New' })
  await json('POST', `/chatbot/${bot}/webhook/create`, {
    url: 'http://192.0.2.1/',
    events: ['message.finished'],
  })
  const source = await owner.createPair(bot, 'When are you open?', 'From nine to five.')
  const upload = await owner.upload(bot, 'a.md', '# A\n\nThe shop sells lamps.')
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  await json('GET', `/chatbot/${bot}/data-sources`)
  await json('GET', `/data-source/${source}/passages`)
  await json('POST', `/data-source/${source}/update`, { title: 'Hours' })
  await json('POST', '/data-sources/url/re-scrape', { uuids: [source] })
  await owner.settled(source)
  await json('POST', `/chatbot/${bot}/search`, { query: 'Does the shop sell lamps?' })
  const session = await owner.createSession(bot)
  await json('GET', `/session/${session}`)
  await json('GET', `/chatbot/${bot}/sessions`)
  await json('GET', `/chatbot/${bot}/sessions?start_timestamp=1&end_timestamp=2`)
  const answer = await owner.ask(session, 'When are you open?')
  const message = answer.headers.get('x-message-uuid')!
  await answer.text()
  await (await owner.ask(session, 'And the lamps?')).text()
  await owner.messages(session)
  await json('GET', `/message/${message}`)
  await (await owner.send('GET', `/message/${message}/stream`)).text()
  await json('GET', `/message/${message}/citations/verify`)
  await json('POST', `/message/${message}/feedback`, { rating: 'up' })
  await json('POST', `/message/${message}/stop`)
  await json('GET', `/chatbot/${bot}/usage`)
  await json('GET', `/chatbot/${bot}/conversations`)
  await json('GET', `/chatbot/${bot}/conversations?search=lamps&from=2026-01-01&to=2036-01-01`)
  await (await owner.send('GET', `/chatbot/${bot}/conversations/export`)).text()
  await json('GET', `/chatbot/${bot}/unanswered`)
  await json('GET', `/chatbot/${bot}/usage/days`)
  await json('GET', '/tokens')
  const visit = await json('POST', `/public/chatbot/${bot}/session`, { channel: 'share' })
  const visitor = { authorization: `Bearer ${visit.body.secret}` }
  const path = `/public/session/${visit.body.uuid}`
  await (await owner.send('POST', `${path}/message/stream`, { query: 'Open?' }, visitor)).text()
  await owner.send('GET', `${path}/messages`, undefined, visitor)
  await services.remote!.follow(message)
  services.remote!.leave(message)
  await json('POST', '/messages/delete', { uuids: [message] })
  await json('POST', `/session/${session}/delete`)
  await json('POST', `/data-source/${source}/delete`)
  await json('DELETE', `/chatbot/${bot}/delete`)
}
