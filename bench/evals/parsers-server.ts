import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { env, exit, stdout } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from '@docent/server/test/child-server.ts'
import { Client } from '@docent/server/test/harness.ts'
import { findParserData, listCases } from './measure-parsers.ts'

// Uploads every file of the evaluation to a server, and measures its memory and the slowest response to other requests.
//   node bench/evals/parsers-server.ts
const folder = findParserData()
if (!folder) {
  stdout.write('There is no folder shared/data/parsers beside the project.\n')
  exit(1)
}
const dataDir = mkdtempSync(join(tmpdir(), 'docent-evals-'))
// biome-ignore lint/style/noProcessEnv: evaluations run outside the server
const environment = { DATA_DIR: dataDir, PATH: env.PATH ?? '' }
const server = await startChild('apps/server/src/cli.ts', environment, ['serve'])
const client = new Client(server.address, server.token!)
const chatbot = await client.createChatbot()
let most = 0
let slowestMs = 0
// Warm up, so that the cost of the first requests and the first document does not count.
await take('first.txt', Buffer.from('The gazebo opens at nine.'))
for (let i = 0; i < 500; i++) await client.json('GET', `/chatbot/${chatbot}/data-sources`)
const before = residentMb()
most = before
slowestMs = 0

for (const { file } of listCases(folder)) {
  const mostBefore = most
  const status = await take(basename(file), readFileSync(join(folder, file)))
  const grown = most > mostBefore ? ` → ${(most - before).toFixed(0)} MB more` : ''
  stdout.write(`${status.padEnd(18)} ${file}${grown}\n`)
}
stdout.write(
  `server: ${before.toFixed(0)} MB, and ${(most - before).toFixed(0)} MB more at most; slowest answer ${slowestMs.toFixed(0)} ms\n`,
)
await server.end('SIGTERM')
rmSync(dataDir, { recursive: true })

async function take(name: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const response = await client.upload(chatbot, name, bytes)
  const { uuid } = (await response.json()) as { uuid?: string }
  if (!uuid) return String(response.status)
  for (;;) {
    const started = performance.now()
    const { body } = await client.json('GET', `/data-source/${uuid}`)
    slowestMs = Math.max(slowestMs, performance.now() - started)
    most = Math.max(most, residentMb())
    if (!['await', 'extracting', 'chunking', 'embedding'].includes(body.status)) return body.status
    await sleep(20)
  }
}

function residentMb(): number {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}
