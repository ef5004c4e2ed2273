import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig } from '@docent/server/src/config.ts'
import { databaseFile } from '@docent/server/src/database/data-folder.ts'
import { openDatabase } from '@docent/server/src/database/open-database.ts'
import { isStopped } from '@docent/server/test/child-processes.ts'
import { type ChildServer, startChild } from '@docent/server/test/child-server.ts'
import { Client, until } from '@docent/server/test/harness.ts'
import type { TestDatabase } from '@docent/server/test/test-database.ts'
import type { PowerDisk } from '../faults/power-disk.ts'

// Kills a server that is writing and streaming, at random moments. After each restart, checks that nothing is lost that
// a client was told.
//   npm run campaign:kill -- [kills] [seed]
// The faults campaign does the same with a disk whose power is cut.

interface Asked {
  session: string
  query: string
  /** The text of the answer that the client received. */
  read: string
  /** The response had begun, so the server accepted the question. */
  acknowledged: boolean
  ended: boolean
}

interface World {
  client: Client
  random: () => number
  /** By chatbot: the last acknowledged name, and the name of the unfinished write. */
  names: Map<string, { acknowledged: string; attempted: string }>
  deleted: Set<string>
  sources: Set<string>
  asked: Asked[]
  sequence: number
}

export interface CampaignResult {
  kills: number
  questions: number
  interrupted: number
  bytesRead: number
}

export interface CampaignOptions {
  say?: (line: string) => void
  /** The campaign cuts its power before each kill. */
  disk?: PowerDisk
  /** SQLite if absent. */
  store?: TestDatabase['settings']
}

export async function runCampaign(
  kills: number,
  seed: number,
  { say = () => {}, disk, store = {} }: CampaignOptions = {},
): Promise<CampaignResult> {
  const folder = mkdtempSync(join(disk?.folder ?? tmpdir(), 'docent-kill-'))
  const result = { kills: 0, questions: 0, interrupted: 0, bytesRead: 0 }
  const start = () => startChild('apps/server/test/slow-server.ts', { DATA_DIR: folder, ...store })
  let child = await start()
  const token = child.token!
  const world: World = {
    client: new Client(child.address, token),
    random: seeded(seed),
    names: new Map(),
    deleted: new Set(),
    sources: new Set(),
    asked: [],
    sequence: 0,
  }
  try {
    while (result.kills < kills) {
      await loadUntilKilled(world, child, { isFirst: result.kills === 0, disk })
      await disk?.powerUp()
      result.kills += 1
      child = await start()
      world.client = new Client(child.address, token)
      await verify(world, result)
      if (result.kills % 20 === 0)
        say(`${result.kills} kills, ${result.questions} questions: all well`)
    }
    assert.equal(await child.end('SIGTERM'), 0)
    if (!store.DATABASE_URL) checkFile(databaseFile(folder))
    await checkAllEnded(readConfig({ DATA_DIR: folder, ...store }))
    return result
  } finally {
    child.process.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadUntilKilled(
  world: World,
  child: ChildServer,
  { isFirst, disk }: { isFirst: boolean; disk?: PowerDisk | undefined },
): Promise<void> {
  const stop = new AbortController()
  const clients = [
    ...Array.from({ length: 6 }, () => askQuestions(world, stop.signal)),
    ...Array.from({ length: 3 }, () => changeChatbots(world, stop.signal)),
    addSources(world, stop.signal),
  ]
  // The first kill always interrupts an answer, even on a slow machine.
  if (isFirst) await until(() => world.asked.find(({ read }) => read !== ''), 60_000)
  else await sleep(30 + world.random() * 500)
  if (disk) await cutPower(disk, child)
  await child.end('SIGKILL')
  stop.abort()
  await Promise.all(clients)
}

/** Stops the process first: a system call under way would report success without having written. */
async function cutPower(disk: PowerDisk, child: ChildServer): Promise<void> {
  const pid = child.process.pid!
  child.process.kill('SIGSTOP')
  await until(() => (isStopped(pid) ? true : undefined))
  disk.cut()
}

/** Repeats a step until a call fails, because the kill makes it fail. */
async function untilKilled(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      await step()
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
  }
}

/** A server with a failed disk answers 503 until it is killed. Any other error is a finding. */
function requireSuccess(status: number): void {
  if (status === 503) throw new Error('The disk is gone')
  assert.equal(status, 200)
}

/** A request without success ends the round. */
async function call(world: World, method: string, path: string, body?: object) {
  const reply = await world.client.json(method, path, body)
  requireSuccess(reply.status)
  return reply.body
}

async function createChatbot(world: World, settings: object = {}): Promise<string> {
  return (await call(world, 'POST', '/chatbot/create', { name: 'Bot', ...settings })).uuid
}

function askQuestions(world: World, signal: AbortSignal): Promise<void> {
  let session: string | undefined
  return untilKilled(signal, async () => {
    if (session === undefined) {
      const chatbot = await createChatbot(world, { rate_limit: [10_000, 1] })
      session = (await call(world, 'POST', `/chatbot/${chatbot}/session/create`)).uuid as string
    }
    const asked: Asked = {
      session,
      query: `q${world.sequence++}`,
      read: '',
      acknowledged: false,
      ended: false,
    }
    world.asked.push(asked)
    const response = await world.client.ask(session, asked.query)
    requireSuccess(response.status)
    asked.acknowledged = true
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) asked.read += decoder.decode(chunk, { stream: true })
    asked.ended = true
  })
}

function changeChatbots(world: World, signal: AbortSignal): Promise<void> {
  return untilKilled(signal, async () => {
    const { names, deleted, random } = world
    const first = `made ${world.sequence++}`
    const uuid = await createChatbot(world, { name: first })
    const record = { acknowledged: first, attempted: first }
    names.set(uuid, record)
    for (let i = 0; i < 3; i++) {
      record.attempted = `named ${world.sequence++}`
      await call(world, 'POST', `/chatbot/${uuid}/update`, { name: record.attempted })
      record.acknowledged = record.attempted
    }
    if (random() < 0.5) {
      names.delete(uuid)
      assert.deepEqual(await call(world, 'DELETE', `/chatbot/${uuid}/delete`), { success: true })
      deleted.add(uuid)
    }
  })
}

function addSources(world: World, signal: AbortSignal): Promise<void> {
  let chatbot: string | undefined
  return untilKilled(signal, async () => {
    chatbot ??= await createChatbot(world)
    const name = `s${world.sequence++}`
    const pair = { question: name, answer: `${name} answered` }
    world.sources.add((await call(world, 'POST', `/chatbot/${chatbot}/data-source/qa`, pair)).uuid)
    await sleep(20)
  })
}

async function verify(world: World, result: CampaignResult): Promise<void> {
  const { client, names, deleted, sources, asked } = world
  for (const [uuid, { acknowledged, attempted }] of names) {
    const { status, body } = await client.json('GET', `/chatbot/${uuid}`)
    assert.equal(status, 200, 'an acknowledged chatbot is there')
    assert.ok([acknowledged, attempted].includes(body.name), `${body.name} is not ${acknowledged}`)
  }
  for (const uuid of deleted) {
    assert.equal(
      (await client.json('GET', `/chatbot/${uuid}`)).status,
      404,
      'a deleted chatbot is gone',
    )
  }
  for (const uuid of sources) {
    assert.equal((await client.settled(uuid)).status, 'success', 'an accepted source is taken in')
  }
  for (const [session, questions] of Map.groupBy(asked, (one) => one.session)) {
    const messages = await endedMessages(client, session)
    for (const { query, read, acknowledged, ended } of questions) {
      const stored = messages.filter((message) => message.query === query)
      assert.ok(
        stored.length === 1 || (!acknowledged && stored.length === 0),
        'one message for each question',
      )
      const [message] = stored
      if (!message) continue
      assert.ok(message.response.startsWith(read), 'what was read is a prefix of what is stored')
      assert.ok(['stop', 'interrupted'].includes(message.finish_reason))
      if (ended) assert.equal(message.finish_reason, 'stop', 'an answer that ended is whole')
      result.questions += 1
      result.bytesRead += Buffer.byteLength(read)
      if (message.finish_reason === 'interrupted') result.interrupted += 1
    }
  }
  // The next round checks only its own writes.
  names.clear()
  deleted.clear()
  sources.clear()
  asked.length = 0
}

function checkFile(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true })
  const [row] = database.prepare('PRAGMA integrity_check').all()
  assert.deepEqual({ ...row }, { integrity_check: 'ok' })
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), [])
  database.close()
}

async function checkAllEnded(config: Config): Promise<void> {
  const { db, close } = await openDatabase(config)
  const running = await db
    .selectFrom('messages')
    .select('id')
    .where('finish_reason', '=', '')
    .execute()
  await close()
  assert.deepEqual(running, [])
}

/** On PostgreSQL, messages of a killed node end only when its lease expires. */
function endedMessages(client: Client, session: string) {
  return until(async () => {
    const messages = await client.messages(session)
    return messages.every(({ finish_reason }) => finish_reason !== '') ? messages : undefined
  }, 60_000)
}

/** A random number generator whose seed reproduces a run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (import.meta.main) {
  const [kills = '1000', seed = '1'] = process.argv.slice(2)
  const started = performance.now()
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const result = await runCampaign(Number(kills), Number(seed), { say })
  const seconds = Math.round((performance.now() - started) / 1000)
  process.stdout.write(`${JSON.stringify({ ...result, seed: Number(seed), seconds })}\n`)
}
