import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { env } from 'node:process'
import { test } from 'node:test'
import { until } from '@docent/server/test/harness.ts'
import { startCli } from '@docent/server/test/run-docent.ts'

// Set DOCENT_MALFORMED_FORMS=10000 for a longer run.
// biome-ignore lint/style/noProcessEnv: only this test has a longer form
const FORMS = Number(env.DOCENT_MALFORMED_FORMS ?? 300)
const AT_ONCE = 20
const ANSWER_MS = 15_000
// A process that reads documents may start or end during the test.
const MARGIN = 5

const BOUNDARY = 'xyzzy'
const FORM = [
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n`,
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`,
  `${'The gazebo opens at nine. '.repeat(200)}\r\n--${BOUNDARY}--\r\n`,
].join('')

interface Malformed {
  type: string
  body: string
  /** The content-length header. */
  length: number
  /** Disconnects before the response. */
  leaves: boolean
}

const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`
const sent = (body: string, type = MULTIPART): Malformed => {
  return { type, body, length: body.length, leaves: false }
}

/** Cycles through the kinds, each time cut at another place. */
function malformedForm(index: number): Malformed {
  const cut = FORM.slice(0, 1 + ((index * 7919) % (FORM.length - 10)))
  const kinds: Malformed[] = [
    sent(FORM, 'multipart/form-data'),
    sent(FORM, 'multipart/form-data; boundary='),
    sent(FORM, 'multipart/form-data; boundary=another'),
    sent(cut),
    sent(FORM.replace('name="file"', 'name=""')),
    sent(FORM.replace('filename="a.txt"', 'filename=""')),
    sent(FORM.replaceAll(/name="[^"]*"; filename="[^"]*"/g, 'filename')),
    sent(FORM.replace('Content-Disposition', 'X'.repeat(index % 5000))),
    sent(FORM.replaceAll('\r\n', '\n')),
    sent('\0'.repeat(index % 300)),
    { ...sent(cut), length: FORM.length, leaves: true },
    { ...sent(''), length: FORM.length, leaves: true },
  ]
  return kinds[index % kinds.length]!
}

/** Returns the status. Undefined for a client that disconnects. */
async function send(
  address: string,
  path: string,
  token: string,
  { type, body, length, leaves }: Malformed,
): Promise<number | undefined> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('There was no answer')))
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  // The server may close the connection before it reads everything. Its response still counts.
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
      `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  )
  if (leaves) {
    socket.write(body, () => socket.resetAndDestroy())
    await once(socket, 'close')
    return undefined
  }
  socket.write(body)
  await once(socket, 'close')
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
}

test('forms of every broken kind are answered, and leave neither files nor connections open', async (t) => {
  const { child: server, client } = await startCli(t)
  const chatbot = await client.createChatbot()
  const path = `/api/v1/chatbot/${chatbot}/data-source/upload`
  const openFiles = () => readdirSync(`/proc/${server.process.pid}/fd`).length
  const statuses = new Map<number | undefined, number>()
  const sendAll = async (from: number, to: number) => {
    let next = from
    const senders = Array.from({ length: AT_ONCE }, async () => {
      while (next < to) {
        const form = malformedForm(next++)
        const status = await send(server.address, path, server.token!, form)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    })
    await Promise.all(senders)
  }
  // Warm up: the first requests open files that stay open.
  await sendAll(0, 60)
  const before = await until(() => (openFiles() < 100 ? openFiles() : undefined))
  await sendAll(60, 60 + FORMS)
  await until(() => (openFiles() <= before + MARGIN ? true : undefined))

  const answered = [...statuses.keys()].filter((status) => status !== undefined)
  for (const status of answered) assert.ok([200, 400, 413, 415, 422].includes(status), `${status}`)
  assert.ok(answered.length >= 3 && statuses.has(undefined))
  const whole = await send(server.address, path, server.token!, sent(FORM))
  assert.equal(whole, 200)
  assert.equal(server.process.exitCode, null)
})
