import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool, Client as Postgres } from 'pg'

// Compares one, two and three nodes on one PostgreSQL with bare queries of the same kind in the same run. Also measures
// the cost of a request with 10, 1,000 and 10,000 chatbots.
//   node scripts/postgres.ts npm run bench:scale [seconds]

const SECONDS = Number(process.argv[2] ?? 4)
const CLIENTS = 24
const BARE_CONNECTIONS = 12
const SIZES = [10, 1_000, 10_000]
// biome-ignore lint/style/noProcessEnv: benchmarks run outside the server
const server = process.env.TEST_DATABASE_URL
if (!server) throw new Error('Set TEST_DATABASE_URL, or run scripts/postgres.ts.')

interface Node {
  address: string
  process: ChildProcess
  folder: string
  token: string | undefined
}

interface World {
  database: string
  token: string
  chatbot: string
  /** Several, because questions in the same session wait for each other. */
  sessions: string[]
}

type Work = (i: number) => Promise<unknown>

const lines: string[] = []
const say = (line: string) => {
  lines.push(line)
  process.stdout.write(`${line}\n`)
}

say('| nodes | read | update | message | search |')
say('|---|---|---|---|---|')
await withDatabase(async (database) => {
  const nodes = await startNodes(database, 1)
  const world = await prepare(database, nodes[0]!)
  const bare = await measureBare(world)
  say(`| bare queries, a second | ${Object.values(bare).map(Math.round).join(' | ')} |`)
  while (nodes.length <= 3) {
    const served = await measureNodes(world, nodes)
    const cells = Object.entries(bare).map(([kind, most]) => {
      const rate = served[kind]!
      return `${Math.round(rate)} (${(rate / most).toFixed(2)})`
    })
    say(`| ${nodes.length} | ${cells.join(' | ')} |`)
    if (nodes.length === 3) break
    nodes.push(...(await startNodes(database, 1)))
  }
  await stop(nodes)
})

say('')
say('| chatbots | read, ms | update, ms | message, ms | search, ms |')
say('|---|---|---|---|---|')
await withDatabase(async (database) => {
  const nodes = await startNodes(database, 1)
  const world = await prepare(database, nodes[0]!)
  let there = 1
  for (const size of SIZES) {
    await addChatbots(world, size - there)
    there = size
    const works = worksOf(world, nodes)
    const costs = []
    for (const work of Object.values(works)) costs.push(await medianMs(work))
    say(`| ${size} | ${costs.map((ms) => ms.toFixed(2)).join(' | ')} |`)
  }
  await stop(nodes)
})

async function withDatabase(work: (database: string) => Promise<void>): Promise<void> {
  const name = `bench_${Date.now()}`
  const administrator = new Postgres({ connectionString: server! })
  await administrator.connect()
  await administrator.query(`CREATE DATABASE ${name}`)
  const url = new URL(server!)
  url.pathname = `/${name}`
  try {
    await work(url.href)
  } finally {
    await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await administrator.end()
  }
}

function startNodes(database: string, count: number): Promise<Node[]> {
  return Promise.all(Array.from({ length: count }, () => startNode(database)))
}

async function startNode(database: string): Promise<Node> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-scale-'))
  const cli = join(import.meta.dirname, '../apps/server/src/cli.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', cli, 'serve'], {
    env: {
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: folder,
      DATABASE_URL: database,
      READER: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = Promise.withResolvers<string>()
  createInterface(child.stdout).on('line', (line) => {
    output += `${line}\n`
    const [, address] = /^Docent is ready at (\S+)$/.exec(line) ?? []
    if (address) setTimeout(() => ready.resolve(address), 50)
  })
  const address = await Promise.race([
    ready.promise,
    once(child, 'exit').then(() => {
      throw new Error(`A node did not start:\n${output}`)
    }),
  ])
  return { address, process: child, folder, token: /^Token: (\S+)$/m.exec(output)?.[1] }
}

async function stop(nodes: Node[]): Promise<void> {
  for (const { process: child, folder } of nodes) {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function prepare(database: string, { address, token = '' }: Node): Promise<World> {
  const call = async (path: string, body: object = {}) => {
    const response = await send(address, token, path, body)
    return (await response.json()) as { uuid: string; status: string }
  }
  const { uuid: chatbot } = await call('/chatbot/create', { name: 'Bot', rate_limit: [10_000, 1] })
  for (let i = 0; i < 20; i++) {
    const pair = { question: `Where is room ${i}?`, answer: `On floor ${i % 5}.` }
    await call(`/chatbot/${chatbot}/data-source/qa`, pair)
  }
  const client = new Postgres({ connectionString: database })
  await client.connect()
  for (;;) {
    const { rows } = await client.query("SELECT 1 FROM sources WHERE status <> 'success'")
    if (rows.length === 0) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await client.end()
  const sessions: string[] = []
  while (sessions.length < CLIENTS)
    sessions.push((await call(`/chatbot/${chatbot}/session/create`)).uuid)
  return { database, token, chatbot, sessions }
}

function send(address: string, token: string, path: string, body?: object): Promise<Response> {
  return fetch(`${address}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

/** The same four operations over HTTP, round-robin over all nodes. */
function worksOf({ token, chatbot, sessions }: World, nodes: Node[]): Record<string, Work> {
  const request = (path: string, body?: (i: number) => object) => (i: number) =>
    call(path, i, body?.(i))
  const call = async (path: string, i: number, body?: object) => {
    const { address } = nodes[i % nodes.length]!
    const response = await send(address, token, path, body)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  }
  const query = (i: number) => ({ query: `Where is room ${i % 20}?` })
  return {
    read: request(`/chatbot/${chatbot}`),
    update: request(`/chatbot/${chatbot}/update`, (i) => ({ name: `Bot ${i}` })),
    message: (i) => call(`/session/${sessions[i % CLIENTS]}/message/stream`, i, query(i)),
    search: request(`/chatbot/${chatbot}/search`, query),
  }
}

/** A single statement per operation, as in an application that does nothing else. */
function bareWorks(pool: Pool, { chatbot, sessions }: World): Record<string, Work> {
  const vector = `[${Array.from({ length: 512 }, (_, i) => ((i * 37) % 11) - 5).join(',')}]`
  return {
    read: () =>
      pool.query({ name: 'r', text: 'SELECT * FROM chatbots WHERE id = $1', values: [chatbot] }),
    update: (i) =>
      pool.query({
        name: 'u',
        text: 'UPDATE chatbots SET name = $2 WHERE id = $1 RETURNING *',
        values: [chatbot, `Bot ${i}`],
      }),
    message: (i) =>
      pool.query({
        name: 'm',
        text: "INSERT INTO messages (id, session_id, query, response, finish_reason, created_at, modified_at) VALUES ('bare' || $1::text, $2, 'q', 'a', 'stop', 0, 0)",
        values: [`${i} ${Math.random()}`, sessions[i % CLIENTS]],
      }),
    search: () =>
      pool.query({
        name: 's',
        text: 'SELECT passage_id FROM passage_vectors WHERE chatbot_id = $1 ORDER BY vector <=> $2::halfvec LIMIT 50',
        values: [chatbot, vector],
      }),
  }
}

async function measureBare(world: World): Promise<Record<string, number>> {
  const pool = new Pool({ connectionString: world.database, max: BARE_CONNECTIONS })
  const result = await measureAll(bareWorks(pool, world))
  await pool.query("DELETE FROM messages WHERE id LIKE 'bare%'")
  await pool.end()
  return result
}

function measureNodes(world: World, nodes: Node[]): Promise<Record<string, number>> {
  return measureAll(worksOf(world, nodes))
}

async function measureAll(works: Record<string, Work>): Promise<Record<string, number>> {
  const result: Record<string, number> = {}
  for (const [kind, work] of Object.entries(works)) result[kind] = await perSecond(work)
  return result
}

async function perSecond(work: Work): Promise<number> {
  let done = 0
  const started = performance.now()
  const until = started + SECONDS * 1000
  const client = async () => {
    while (performance.now() < until) {
      await work(done)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (done * 1000) / (performance.now() - started)
}

async function medianMs(work: Work): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 60; i++) {
    const start = performance.now()
    await work(i)
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}

/** Adds chatbots, each with a session, messages, a source and its passage. */
async function addChatbots({ database, chatbot }: World, count: number): Promise<void> {
  const client = new Postgres({ connectionString: database })
  await client.connect()
  const from = Date.now()
  const id = (kind: string) => `md5('${kind} ${from} ' || n)`
  const all = `generate_series(1, ${count}) AS n`
  const { rows } = await client.query('SELECT owner_id FROM chatbots WHERE id = $1', [chatbot])
  const owner = `'${rows[0].owner_id}'`
  await client.query(`
    INSERT INTO chatbots SELECT ${id('bot')}, ${owner}, 'Bot', NULL, '{}', NULL, 0, 0 FROM ${all};
    INSERT INTO sessions SELECT ${id('session')}, ${id('bot')}, 0, 0 FROM ${all};
    INSERT INTO messages (id, session_id, query, response, finish_reason, created_at, modified_at)
      SELECT md5('message ${from} ' || n || ' ' || k), ${id('session')}, 'q', 'a', 'stop', 0, 0 FROM ${all}, generate_series(1, 5) AS k;
    INSERT INTO sources (id, chatbot_id, owner_id, type, title, status, created_at, modified_at)
      SELECT ${id('source')}, ${id('bot')}, ${owner}, 'qa', 'x', 'success', 0, 0 FROM ${all};
    INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
      SELECT ${id('bot')}, ${id('source')}, 'h', ${id('build')}, 0, 0, 4, 'text', 'text' FROM ${all};
    INSERT INTO passage_words SELECT id, passages.chatbot_id, build, '{1:1}/1000000000'::sparsevec FROM passages
      WHERE NOT EXISTS (SELECT 1 FROM passage_words WHERE passage_id = id);
    INSERT INTO passage_vectors SELECT passages.id, embedders.id, passages.chatbot_id, build, array_fill(1, ARRAY[dimensions])::vector::halfvec
      FROM passages, embedders WHERE NOT EXISTS (SELECT 1 FROM passage_vectors WHERE passage_id = passages.id)`)
  await client.query('ANALYZE')
  await client.end()
}
