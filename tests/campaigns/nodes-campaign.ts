import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeServers, startNodes } from '@docent/server/test/machine/node-servers.ts'
import { type Postgres, startPostgres } from '@docent/server/test/machine/start-postgres.ts'
import { Client as Administrator } from 'pg'

// Loads three nodes on one PostgreSQL and injects faults: a node is killed, frozen or disconnected, the database is
// killed and restarted, its tables are locked. Afterwards nothing that a client was told may be lost or doubled.
//   npm run campaign:nodes -- [rounds] [seed]

const NODES = 3
const PAUSE_MS = 30_000
const TROUBLES = ['kill', 'pause', 'database', 'cut', 'full'] as const
type Trouble = (typeof TROUBLES)[number]

interface Asked {
  session: string
  query: string
  uuid: string
  read: string
  /** The response ended like a complete answer. */
  ended: boolean
}

interface World {
  servers: NodeServers
  postgres: Postgres
  random: () => number
  asked: Asked[]
  /** By chatbot: the last acknowledged name, and the name of the unfinished write. */
  names: Map<string, { acknowledged: string; attempted: string }>
  deleted: Set<string>
  sources: Map<string, string>
  sequence: number
  goesOn: boolean
}

export interface CampaignResult {
  rounds: Record<Trouble, number>
  questions: number
  interrupted: number
  sources: number
  chatbots: number
}

/** Undefined without a PostgreSQL that may be killed. */
export async function runNodesCampaign(
  troubles: Trouble[],
  seed: number,
  { pauseMs = PAUSE_MS, say = (_: string) => {} } = {},
): Promise<CampaignResult | undefined> {
  const postgres = await startPostgres()
  if (!postgres) return undefined
  const settings = { DATABASE_URL: postgres.url, LOG_LEVEL: 'fatal' }
  const servers = await startNodes(NODES, settings)
  const world: World = {
    servers,
    postgres,
    random: seeded(seed),
    asked: [],
    names: new Map(),
    deleted: new Set(),
    sources: new Map(),
    sequence: 0,
    goesOn: true,
  }
  const rounds = { kill: 0, pause: 0, database: 0, cut: 0, full: 0 }
  try {
    const load = [
      ...Array.from({ length: 6 }, (_, i) => forever(world, () => askQuestion(world, i))),
      ...Array.from({ length: 2 }, () => forever(world, () => changeChatbot(world))),
      forever(world, () => addSource(world)),
    ]
    for (const trouble of troubles) {
      await sleep(500 + world.random() * 1_500)
      await cause(world, trouble, pauseMs)
      rounds[trouble] += 1
      say(`${trouble}: ${world.asked.length} questions so far`)
    }
    await sleep(1_000)
    world.goesOn = false
    await Promise.all(load)
    return { rounds, ...(await verify(world)) }
  } finally {
    world.goesOn = false
    await servers.end()
    await postgres.stop()
  }
}

async function cause(world: World, trouble: Trouble, pauseMs: number): Promise<void> {
  const { servers, postgres, random } = world
  const node = Math.floor(random() * NODES)
  switch (trouble) {
    case 'kill':
      await servers.nodes[node]!.end('SIGKILL')
      await sleep(random() * 1_000)
      return servers.restart(node)
    case 'pause':
      servers.nodes[node]!.process.kill('SIGSTOP')
      await sleep(pauseMs)
      servers.nodes[node]!.process.kill('SIGCONT')
      return
    case 'database':
      await postgres.kill()
      await sleep(500 + random() * 2_000)
      return postgres.restart()
    case 'cut':
      return administer(postgres, async (client) => {
        await client.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docent'",
        )
      })
    case 'full':
      return administer(postgres, async (client) => {
        // The locks block all writes, so every connection waits.
        await client.query('BEGIN')
        await client.query('LOCK TABLE messages, chatbots IN EXCLUSIVE MODE')
        await sleep(2_000)
        await client.query('ROLLBACK')
      })
  }
}

async function administer(
  { url }: Postgres,
  work: (client: Administrator) => Promise<void>,
): Promise<void> {
  const client = new Administrator({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await work(client)
  await client.end()
}

/** Repeats a step and ignores failed requests, because the service must keep only what it acknowledged. */
async function forever(world: World, step: () => Promise<void>): Promise<void> {
  while (world.goesOn) {
    try {
      await step()
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      await sleep(50)
    }
  }
}

function anyNode({ servers, random }: World) {
  return servers.at(Math.floor(random() * NODES))
}

const sessions = new Map<number, string>()

async function askQuestion(world: World, asker: number): Promise<void> {
  let session = sessions.get(asker)
  if (session === undefined) {
    const client = anyNode(world)
    const { body } = await client.json('POST', '/chatbot/create', {
      name: 'Bot',
      rate_limit: [10_000, 1],
    })
    session = await client.createSession(body.uuid)
    if (session === undefined) return
    sessions.set(asker, session)
  }
  const query = `q${world.sequence++}`
  const response = await anyNode(world).ask(session, query)
  if (response.status !== 200) {
    await response.text()
    assert.ok([500, 502, 503].includes(response.status), `status ${response.status}`)
    await sleep(50)
    return
  }
  const uuid = response.headers.get('x-message-uuid')!
  const asked: Asked = { session, query, uuid, read: '', ended: false }
  world.asked.push(asked)
  const decoder = new TextDecoder()
  for await (const chunk of response.body!) asked.read += decoder.decode(chunk, { stream: true })
  asked.ended = true
}

async function changeChatbot(world: World): Promise<void> {
  const { names, deleted, random } = world
  const first = `made ${world.sequence++}`
  const made = await anyNode(world).json('POST', '/chatbot/create', { name: first })
  if (made.status !== 200) return
  const { uuid } = made.body
  const record = { acknowledged: first, attempted: first }
  names.set(uuid, record)
  for (let i = 0; i < 3; i++) {
    record.attempted = `named ${world.sequence++}`
    const body = { name: record.attempted }
    const { status } = await anyNode(world).json('POST', `/chatbot/${uuid}/update`, body)
    if (status !== 200) return
    record.acknowledged = record.attempted
  }
  if (random() < 0.5) {
    names.delete(uuid)
    const { status } = await anyNode(world).json('DELETE', `/chatbot/${uuid}/delete`)
    if (status === 200) deleted.add(uuid)
  }
}

async function addSource(world: World): Promise<void> {
  const client = anyNode(world)
  const chatbot = await client.createChatbot()
  const name = `s${world.sequence++}`
  const pair = { question: `${name}?`, answer: `${name} answered` }
  const { status, body } = await client.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair)
  if (status === 200) world.sources.set(body.uuid, name)
  await sleep(100)
}

async function verify(world: World) {
  const { servers, names, deleted, sources, asked } = world
  const client = servers.at(0)
  for (const [uuid, { acknowledged, attempted }] of names) {
    const { status, body } = await client.json('GET', `/chatbot/${uuid}`)
    assert.equal(status, 200, 'an acknowledged chatbot is there')
    assert.ok([acknowledged, attempted].includes(body.name), `${body.name} is not ${acknowledged}`)
  }
  for (const uuid of deleted) {
    const { status } = await client.json('GET', `/chatbot/${uuid}`)
    assert.equal(status, 404, 'a deleted chatbot is gone')
  }
  for (const uuid of sources.keys()) {
    const source = await client.settled(uuid, 120_000)
    assert.equal(source.status, 'success', `an accepted source is taken in: ${source.meta_json}`)
    const { body } = await client.json('GET', `/data-source/${uuid}/passages`)
    assert.equal(body.length, 1, 'and once')
  }
  let interrupted = 0
  for (const [session, questions] of Map.groupBy(asked, (one) => one.session)) {
    const messages = await untilEnded(world, session)
    for (const { query, uuid, read, ended } of questions) {
      const stored = messages.filter((message) => message.query === query)
      assert.deepEqual(
        stored.map((message) => message.uuid),
        [uuid],
        'one message for each question that was accepted',
      )
      const [message] = stored
      assert.ok(message.response.startsWith(read), 'what was read is a prefix of what is stored')
      assert.ok(['stop', 'interrupted', 'error'].includes(message.finish_reason))
      if (ended) assert.equal(message.finish_reason, 'stop', 'an answer that ended is whole')
      if (message.finish_reason !== 'stop') interrupted += 1
    }
  }
  await checkDatabase(world)
  return { questions: asked.length, interrupted, sources: sources.size, chatbots: names.size }
}

/** Answers of a killed node end only when its lease expires. */
async function untilEnded({ servers }: World, session: string) {
  for (let i = 0; i < 600; i++) {
    const messages = await servers.at(0).messages(session)
    if (messages.every(({ finish_reason }) => finish_reason !== '')) return messages
    await sleep(100)
  }
  throw new assert.AssertionError({ message: 'every answer comes to an end' })
}

/** Checks what clients can't see: no rows are left over, and counters match the rows. */
async function checkDatabase({ postgres }: World): Promise<void> {
  await administer(postgres, async (client) => {
    const rows = async (query: string) => (await client.query(query)).rows
    assert.deepEqual(await rows('SELECT * FROM running_answers'), [])
    assert.deepEqual(await rows('SELECT * FROM message_parts'), [])
    assert.deepEqual(
      await rows(`
        SELECT chatbot_id, counts.passages, count(passages.id) FROM passage_counts AS counts
        LEFT JOIN passages USING (chatbot_id) GROUP BY chatbot_id, counts.passages
        HAVING counts.passages <> count(passages.id)`),
      [],
    )
  })
}

/** A random number generator whose seed reproduces a run. */
function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

if (import.meta.main) {
  const [rounds = '5', seed = '1'] = process.argv.slice(2)
  const troubles = Array.from({ length: Number(rounds) }, () => TROUBLES).flat()
  const started = performance.now()
  const result = await runNodesCampaign(troubles, Number(seed), {
    say: (line) => process.stdout.write(`${line}\n`),
  })
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(
    result
      ? `${JSON.stringify({ ...result, seed: Number(seed), seconds })}\n`
      : 'There is no PostgreSQL here: see scripts/postgres.ts.\n',
  )
  if (!result) process.exitCode = 1
}
