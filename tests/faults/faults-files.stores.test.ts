import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, temporaryFolder, until } from '@docent/server/test/harness.ts'
import { LAUNCHER, serve, startCli } from '@docent/server/test/run-docent.ts'
import { ONLY_POSTGRES, ONLY_SQLITE, TEST_SERVER } from '@docent/server/test/test-database.ts'
import { Client as Connection } from 'pg'

const CLI = join(import.meta.dirname, '../../apps/server/src/cli.ts')
const canLimit = spawnSync('prlimit', ['--version']).status === 0
const ENOUGH = 4096

/** Starts a server whose limit on open files can change while it runs. */
async function startLimited(t: TestContext, settings: NodeJS.ProcessEnv = {}) {
  const { store, folder, child: first, client: filler } = await startCli(t)
  const chatbot = await filler.createChatbot()
  await filler.createPair(chatbot, 'What does it cost?', 'Twelve euros.')
  await first.end('SIGTERM')
  // A fresh server has not yet started its search thread or the process that reads documents.
  const child = await serve(folder, { ...store, ...settings })
  t.after(() => child.process.kill('SIGKILL'))
  const client = new Client(child.address, filler.token)
  const pid = child.process.pid!
  const limit = (most: number) => {
    const { status } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:${ENOUGH}`])
    assert.equal(status, 0)
  }
  return {
    client,
    store,
    child,
    chatbot,
    allow: (more: number) => {
      const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
      limit(limitWithFree(open, more))
    },
    allowAll: () => limit(ENOUGH),
  }
}

/** The limit applies to descriptor numbers, not to their count. Returns the limit that leaves `free` numbers. */
function limitWithFree(open: Set<number>, free: number): number {
  let limit = 0
  for (let left = free; left > 0 || open.has(limit); limit++) if (!open.has(limit)) left--
  return limit
}

/** Sends a request on a new connection. Returns the status, or the error code of the connection. */
function call(url: string, token: string): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}` }
    const sent = request(url, { agent: false, headers, timeout: 30_000 }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    sent.on('timeout', () => sent.destroy(Object.assign(new Error(), { code: 'NO ANSWER' })))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end()
  })
}

/** Retries, because a request that finds the kept-alive connection busy opens another, which the server rejects. */
function onceTaken<T>(send: () => Promise<T>): Promise<T> {
  return until<T>(() =>
    send().catch((error: Error) => {
      if (error.message !== 'fetch failed') throw error
      return undefined
    }),
  )
}

/** Opens connections until the server rejects one. Returns the accepted connections. */
async function takeAllPlaces(base: string): Promise<Socket[]> {
  const { port } = new URL(base)
  const held: Socket[] = []
  for (;;) {
    const socket = connect(Number(port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.on('close', () => resolve(true)))
    socket.on('error', () => {})
    // Send half a request: the server waits on an accepted connection, and closes a rejected one at once.
    socket.write('GET /healthz HTTP/1.1\r\n')
    const isClosed = await Promise.race([closed, sleep(1_000, false)])
    if (isClosed) return held
    held.push(socket)
  }
}

const DELETED_OWNER_ID = 65_534

/** Makes a data folder that belongs to another user, and runs commands as that user. */
async function makeFolderOfNobody(t: TestContext) {
  const folder = temporaryFolder(t)
  await (await serve(folder)).end('SIGTERM')
  for (const path of ['', ...readdirSync(folder)])
    chownSync(join(folder, path), DELETED_OWNER_ID, DELETED_OWNER_ID)
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
      env: { DATA_DIR: folder, PORT: '0' },
      cwd: folder,
      uid: DELETED_OWNER_ID,
      gid: DELETED_OWNER_ID,
      encoding: 'utf8',
      timeout: 60_000,
    })
  return { folder, run }
}

const AS_ANOTHER = TEST_SERVER
  ? ONLY_SQLITE
  : { skip: process.getuid?.() !== 0 && 'only root can act as another user' }

suite('a data folder with files of another user', AS_ANOTHER, () => {
  for (const name of ['docent.db', 'docent.db-wal', 'docent.db-shm', 'server.lock']) {
    test(`says that it is ${name}, at a start and to whoever asks the doctor`, async (t) => {
      const { folder, run } = await makeFolderOfNobody(t)
      const well = run('doctor')
      assert.equal(well.status, 0, well.stdout + well.stderr)
      const file = join(folder, name)
      if (!existsSync(file)) writeFileSync(file, '')
      chownSync(file, 0, 0)
      chmodSync(file, 0o600)
      const sentence = `${file} cannot be read and written by this user. Change its owner (chown), or run this as its owner.`
      const started = run('serve')
      assert.deepEqual([started.status, started.stderr], [1, `${sentence}\n`])
      const doctor = run('doctor')
      assert.equal(doctor.status, 1)
      assert.ok(doctor.stdout.includes(`WRONG data folder ${folder}: ${sentence}\n`), doctor.stdout)
      const backup = run('backup', join(folder, 'all.gz'))
      const readable = name === 'server.lock'
      assert.equal(backup.status, readable ? 0 : 1, backup.stderr)
      if (!readable) assert.match(backup.stderr, /^\S+ cannot be read by this user\./)
    })
  }

  test('says so when the database may be read and not written', async (t) => {
    const { folder, run } = await makeFolderOfNobody(t)
    chownSync(join(folder, 'docent.db'), 0, 0)
    chmodSync(join(folder, 'docent.db'), 0o644)
    for (const [args, where] of [
      [['serve'], 'stderr'],
      [['doctor'], 'stdout'],
      [['user', 'list'], 'stderr'],
    ] as const) {
      const result = run(...args)
      assert.equal(result.status, 1, args.join(' '))
      assert.match(result[where], /docent\.db cannot be read and written by this user\./)
    }
  })

  test('says so when the database is a folder', async (t) => {
    const { folder, run } = await makeFolderOfNobody(t)
    rmSync(join(folder, 'docent.db'))
    mkdirSync(join(folder, 'docent.db'))
    const sentence =
      /docent\.db is not a file\. Move it away, or set DATA_DIR to another folder\.$/m
    assert.match(run('serve').stderr, sentence)
    assert.match(run('doctor').stdout, sentence)
    assert.match(run('backup', join(folder, 'all.gz')).stderr, sentence)
  })
})

suite('a server that may open no more files', { skip: !canLimit && 'there is no prlimit' }, () => {
  test('turns new connections away at once, and takes them when there are files again', async (t) => {
    const { client, allow, allowAll } = await startLimited(t)
    allow(3)
    const held = await takeAllPlaces(client.base)
    t.after(() => held.map((socket) => socket.destroy()))
    const url = `${client.base}/chatbots`
    for (let i = 0; i < 5; i++) assert.match(`${await call(url, client.token)}`, /ECONNRESET|EPIPE/)
    allowAll()
    assert.equal(await call(url, client.token), 200)
  })

  test('says so to whoever asks, loses nothing that it took, and goes on by itself', async (t) => {
    const { client, child, chatbot, allow, allowAll } = await startLimited(t)
    const session = await client.createSession(chatbot)
    allow(4)
    const upload = await client.upload(chatbot, 'hours.txt', 'The museum is open daily until five.')
    assert.equal(upload.status, 200)
    const { uuid } = (await upload.json()) as { uuid: string }
    // Files that were only briefly open when they were counted are closed by now.
    allow(0)
    const asked = await onceTaken(() => client.ask(session, 'When is it open?'))
    const text = await asked.text()
    // The server may still answer if it needs no connection or thread that is not open yet.
    const isAnswered = asked.status === 200
    if (!isAnswered) {
      assert.equal(asked.status, 503, text)
      assert.match(text, /too many files/)
    }
    const waiting = await until(async () => {
      const { body } = await onceTaken(() => client.json('GET', `/data-source/${uuid}`))
      return body.status === 'await' ? JSON.parse(body.meta_json).waiting : undefined
    })
    assert.match(waiting, /too many files .* Next attempt in 5 seconds/)

    allowAll()
    assert.equal((await client.settled(uuid)).status, 'success')
    const answer = await client.ask(session, 'Until when is the museum open?')
    assert.match(await answer.text(), /open daily until five/)
    const messages = await client.messages(session)
    const ends = messages.map(({ query, finish_reason }) => [query, finish_reason])
    assert.deepEqual(ends.pop(), ['Until when is the museum open?', 'stop'])
    // On PostgreSQL, a question without a database connection is not stored.
    if (!TEST_SERVER || ends.length > 0)
      assert.deepEqual(ends, [['When is it open?', isAnswered ? 'stop' : 'error']])
    assert.equal(await child.end('SIGTERM'), 0)
  })

  test('says so when it may not even open those that a start takes', { skip: !canLimit }, () => {
    // The required number depends on the Node version: with fewer files Node fails itself, with more Docent starts.
    const ends = Array.from({ length: 20 }, (_, i) =>
      spawnSync('prlimit', [`--nofile=${16 + i}`, process.execPath, LAUNCHER, '--version']),
    ).map(({ stderr }) => `${stderr}`)
    assert.ok(ends.some((said) => /^Docent can’t be started \(.*EMFILE\)\. .*\n$/.test(said)))
    assert.ok(!ends.some((said) => said.includes('Unhandled')))
  })

  test('says so when it needs one more for its database', ONLY_POSTGRES, async (t) => {
    const settings = { DATABASE_CONNECTIONS: '90' }
    const { client, store, allow, allowAll } = await startLimited(t, settings)
    const { origin } = new URL(client.base)
    const askers = Array.from({ length: 30 })
    // Connect before the limit leaves no more files.
    await Promise.all(askers.map(async () => (await fetch(`${origin}/healthz`)).text()))
    const other = new Connection({ connectionString: store.DATABASE_URL })
    other.on('error', () => {})
    await other.connect()
    // The lock makes each request hold a database connection, so the pool must open more.
    await other.query('BEGIN; LOCK TABLE chatbots')
    allow(0)
    const replies = askers.map(() => client.json('GET', '/chatbots'))
    const refused = await Promise.race(replies)
    assert.equal(refused.status, 503)
    assert.match(refused.body.error, /too many files/)
    await other.end()
    allowAll()
    await Promise.all(replies)
    assert.equal((await client.json('GET', '/chatbots')).status, 200)
  })
})
