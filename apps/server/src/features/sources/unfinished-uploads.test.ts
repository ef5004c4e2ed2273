import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  Client,
  startTestServer,
  type TestOptions,
  type TestServer,
  until,
} from '../../../test/harness.ts'
import { Wire } from '../../../test/wire.ts'
import { startServer } from '../../main.ts'

const MEGABYTE = 1024 * 1024
const BOUNDARY = 'the-boundary'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.txt"\r\n\r\n`
const END = `\r\n--${BOUNDARY}--\r\n`

/** Uploads are refused at once instead of waiting for a place. */
const AT_ONCE: TestOptions = { uploadLimits: { waitMs: 0 } }

interface Upload {
  wire: Wire
  finish(): void
}

/** Begins an upload. `finish` sends the rest. */
async function beginUpload(
  t: TestContext,
  server: TestServer,
  { token, chatbot, content = 'Open daily.', headers = [] as string[] }: BeginOptions,
): Promise<Upload> {
  const wire = await Wire.open(t, server.address)
  const sent = Math.floor(content.length / 2)
  wire.request('POST', `/api/v1/chatbot/${chatbot}/data-source/upload`, {
    headers: [
      `Authorization: Bearer ${token}`,
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
      `Content-Length: ${HEAD.length + content.length + END.length}`,
      ...headers,
    ],
    body: headers.length > 0 ? '' : HEAD + content.slice(0, sent),
  })
  return { wire, finish: () => wire.write(content.slice(sent) + END) }
}

interface BeginOptions {
  token: string
  chatbot: string
  content?: string
  headers?: string[]
}

async function metric({ address }: { address: string }, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return Number(line?.split(' ')[1] ?? 0)
}

const uploadsOf = (server: TestServer) => metric(server, 'docent_uploads')
const refusalsOf = (server: TestServer, limit: string) =>
  metric(server, `docent_refusals_total{limit="${limit}"}`)

async function untilUploads(server: TestServer, wanted: number): Promise<void> {
  await until(async () => (await uploadsOf(server)) === wanted || undefined)
}

test('an upload under way is on the disk, and no part of it in memory', async (t) => {
  const server = await startTestServer(t)
  const chatbot = await server.owner.createChatbot()
  const content = 'a line of text\n'.repeat((40 * MEGABYTE) / 15)
  const upload = await beginUpload(t, server, { token: server.owner.token, chatbot, content })
  const files = () =>
    execFileSync('sh', ['-c', `ls -lL /proc/${process.pid}/fd 2>/dev/null || true`])
      .toString()
      .split('\n')
      .map((line) => Number(line.trim().split(/\s+/)[4]))
  const half = Math.floor(content.length / 2)
  await until(() => files().some((size) => size > half - MEGABYTE && size <= half) || undefined)
  const folder = join(server.config.dataDir, 'uploads')
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(folder), [], 'a crash leaves nothing')
  upload.finish()
  const { status, body } = await upload.wire.answer()
  assert.equal(status, 200, body)
  assert.equal(JSON.parse(body).file_size, content.length)
  const stored = await server.services.db
    .selectFrom('source_files')
    .select('content')
    .where('source_id', '=', JSON.parse(body).uuid)
    .executeTakeFirstOrThrow()
  assert.ok(Buffer.from(content).equals(stored.content))
  await untilUploads(server, 0)
})

test('a token has three uploads under way, and the next is refused before its body is sent', async (t) => {
  const server = await startTestServer(t, AT_ONCE)
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const open = []
  for (let i = 0; i < 3; i++)
    open.push(await beginUpload(t, server, { token: owner.token, chatbot }))
  await untilUploads(server, 3)

  const fourth = await beginUpload(t, server, {
    token: owner.token,
    chatbot,
    headers: ['Expect: 100-continue'],
  })
  const refused = await fourth.wire.answer()
  assert.equal(refused.status, 429, 'and not 100')
  const body = JSON.parse(refused.body)
  assert.equal(body.code, 'rate_limited')
  assert.deepEqual(body.details, { limit: 'uploads' })
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(await fourth.wire.ended(), '', 'what follows could be a body or a request')
  assert.equal(await refusalsOf(server, 'uploads'), 1)

  const other = await server.tokenFor('owner')
  const with2 = await new Client(server.address, other.token).upload(chatbot, 'a.txt', 'Open.')
  assert.equal(with2.status, 200, 'another token')

  // Cut off, malformed or finished: each upload releases its place.
  open[0]!.wire.leave()
  open[1]!.wire.write(`\r\n--${BOUNDARY}\r\nnonsense`)
  open[1]!.wire.leave()
  open[2]!.finish()
  assert.equal((await open[2]!.wire.answer()).status, 200)
  await untilUploads(server, 0)
  assert.equal((await owner.upload(chatbot, 'b.txt', 'Open.')).status, 200)
})

test('an owner with many tokens leaves places to others', async (t) => {
  const server = await startTestServer(t, AT_ONCE)
  const chatbot = await server.owner.createChatbot()
  const statuses: number[] = []
  for (let i = 0; i < 4; i++) {
    const { token } = await server.tokenFor('owner')
    for (let j = 0; j < 3; j++) {
      const { wire } = await beginUpload(t, server, {
        token,
        chatbot,
        headers: ['Expect: 100-continue'],
      })
      statuses.push((await wire.answer()).status)
    }
  }
  assert.deepEqual(statuses, [...Array(10).fill(100), 503, 503], 'alone, nine tenths')
  const theirs = await server.stranger.createChatbot()
  assert.equal((await server.stranger.upload(theirs, 'a.txt', 'Open daily.')).status, 200)
})

test('many small files sent at once wait for each other', async (t) => {
  const server = await startTestServer(t)
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => owner.upload(chatbot, `${i}.txt`, `Room ${i} is open.`)),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array(40).fill(200),
  )
  assert.equal(await refusalsOf(server, 'uploads'), 0)
  assert.equal(await uploadsOf(server), 0)
})

test('a client that leaves while it waits for a place takes none', async (t) => {
  const server = await startTestServer(t, { uploadLimits: { waitMs: 600_000, perToken: 1 } })
  const chatbot = await server.owner.createChatbot()
  const { token } = server.owner
  const first = await beginUpload(t, server, { token, chatbot })
  await untilUploads(server, 1)
  const leaving = await beginUpload(t, server, { token, chatbot })
  const staying = await beginUpload(t, server, { token, chatbot })
  await until(async () => (await metric(server, 'docent_waiting_uploads')) === 2 || undefined)
  leaving.wire.leave()
  await until(async () => (await metric(server, 'docent_waiting_uploads')) === 1 || undefined)
  first.finish()
  assert.equal((await first.wire.answer()).status, 200)
  staying.finish()
  assert.equal((await staying.wire.answer()).status, 200)
  await untilUploads(server, 0)
})

test('an upload that is refused while it is being sent sees why', async (t) => {
  const server = await startTestServer(t, AT_ONCE)
  const chatbot = await server.owner.createChatbot()
  const { token } = server.owner
  for (let i = 0; i < 3; i++) await beginUpload(t, server, { token, chatbot })
  await untilUploads(server, 3)
  // Simple clients send the whole request before they read the response.
  const fourth = await beginUpload(t, server, {
    token,
    chatbot,
    content: 'a'.repeat(30 * MEGABYTE),
  })
  fourth.finish()
  assert.equal((await fourth.wire.answer()).status, 429)
  fourth.wire.request('GET', '/healthz')
  assert.equal((await fourth.wire.answer()).status, 200, 'the connection goes on')
})

test('an upload in chunks of unknown length is taken, and refused when it grows too large', async (t) => {
  const server = await startTestServer(t, { environment: { MAX_UPLOAD_MB: '1' } })
  const chatbot = await server.owner.createChatbot()
  const send = async (content: string) => {
    const wire = await Wire.open(t, server.address)
    wire.request('POST', `/api/v1/chatbot/${chatbot}/data-source/upload`, {
      headers: [
        `Authorization: Bearer ${server.owner.token}`,
        `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
        'Transfer-Encoding: chunked',
      ],
    })
    for (const piece of [HEAD, content, END])
      wire.write(`${piece.length.toString(16)}\r\n${piece}\r\n`)
    wire.write('0\r\n\r\n')
    return wire.answer()
  }
  assert.equal((await send('Open daily.')).status, 200)
  assert.equal((await send('a'.repeat(MEGABYTE + 1))).status, 413)
  await untilUploads(server, 0)
})

test('parts that are no files take little memory', async (t) => {
  const server = await startTestServer(t)
  const chatbot = await server.owner.createChatbot()
  const reply = await server.owner.upload(chatbot, 'a.txt', 'Open daily.', {
    note: 'n'.repeat(MEGABYTE - 1),
    reference_source_link: 'https://example.org/hours',
  })
  const body = (await reply.json()) as { meta_json: string }
  assert.equal(reply.status, 200)
  assert.match(body.meta_json, /example\.org/)
})

test('what a crash has left in the folder is removed at the start', async (t) => {
  const before = await startTestServer(t)
  await before.stop(0)
  const folder = join(before.config.dataDir, 'uploads')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'left'), 'half a file')
  const after = await startServer(before.config)
  t.after(() => after.stop(0))
  assert.equal(existsSync(folder), false)
})
