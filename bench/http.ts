import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'

// Throughput of the interface as a ratio to a bare Fastify route of the same reply size, in the same run, so that a
// slow or busy machine slows both. Start-up and idle memory are measured on the way.
//   node bench/http.ts [seconds per measurement] [rounds]

const SECONDS = Number(process.argv[2] ?? 4)
const ROUNDS = Number(process.argv[3] ?? 3)
const ROOT = join(import.meta.dirname, '..')
const QUIET = ['--disable-warning=ExperimentalWarning']

interface Target {
  /** Several are called in turn. */
  path: string | string[]
  method?: 'GET' | 'POST'
  body?: string
}

interface Measurement {
  name: string
  connections: number
  docent: Target
  bare: Target
  bar?: number
}

const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
const started = performance.now()
const docent = spawn(process.execPath, [...QUIET, 'server/src/cli.ts', 'serve'], {
  cwd: ROOT,
  env: {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
  },
  stdio: ['ignore', 'pipe', 'ignore'],
})
const { address, token } = await readBanner(docent)
const readyMs = await untilReady(address)
await sleep(2000)
const idleMb = residentMb(docent.pid!)

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const api = async (path: string, body: object) => {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return JSON.parse(await response.text())
}
const bots = []
for (let i = 0; i < 50; i++)
  bots.push(await api('/chatbot/create', { name: `Bot ${i}`, rate_limit: [10_000, 1] }))
const [bot] = bots
await api(`/chatbot/${bot.uuid}/data-source/qa`, {
  question: 'When are you open?',
  answer: 'Daily from 9 to 17.',
})
const sessions: string[] = []
for (let i = 0; i < 64; i++)
  sessions.push((await api(`/chatbot/${bot.uuid}/session/create`, {})).uuid)
await sleep(2000)

const replies = JSON.stringify({ one: bot, many: bots, text: 'Daily from 9 to 17.' })
const bare = spawn(process.execPath, [...QUIET, 'bench/bare-server.ts', replies], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const bareAddress = String((await once(createInterface(bare.stdout), 'line'))[0])

const update = { method: 'POST', body: JSON.stringify({ prompt: 'Be brief.' }) } as const
const question = { method: 'POST', body: JSON.stringify({ query: 'When are you open?' }) } as const
const measurements: Measurement[] = [
  {
    name: 'GET /chatbot/{uuid}',
    connections: 16,
    docent: { path: `/api/v1/chatbot/${bot.uuid}` },
    bare: { path: '/one' },
    bar: 0.5,
  },
  {
    name: 'GET /chatbots (50 of them)',
    connections: 16,
    docent: { path: '/api/v1/chatbots' },
    bare: { path: '/many' },
    bar: 0.5,
  },
  {
    name: 'POST /chatbot/{uuid}/update, durable',
    connections: 64,
    docent: { path: `/api/v1/chatbot/${bot.uuid}/update`, ...update },
    bare: { path: '/one', ...update },
    bar: 0.25,
  },
  {
    name: 'POST /session/{uuid}/message/stream, built-in answer',
    connections: 64,
    docent: { path: sessions.map((uuid) => `/api/v1/session/${uuid}/message/stream`), ...question },
    bare: { path: '/text', ...question },
  },
]

print('| what | connections | Docent, 1/s | p99, ms | bare Fastify, 1/s | ratio | bar |')
print('|---|---|---|---|---|---|---|')
for (const { name, connections, docent: ours, bare: theirs, bar } of measurements) {
  const rounds = []
  await load(address, ours, connections, 1)
  for (let round = 0; round < ROUNDS; round++) {
    const ceiling = await load(bareAddress, theirs, connections, SECONDS)
    const result = await load(address, ours, connections, SECONDS)
    rounds.push({ result, ceiling, ratio: result.requests.average / ceiling.requests.average })
  }
  const { result, ceiling, ratio } = rounds.sort((a, b) => a.ratio - b.ratio)[
    Math.floor(ROUNDS / 2)
  ]!
  const figures = [result.requests.average, result.latency.p99, ceiling.requests.average].map(
    Math.round,
  )
  print(`| ${[name, connections, ...figures, ratio.toFixed(2), bar ?? '–'].join(' | ')} |`)
}
print(
  `\nStart to ready: ${Math.round(readyMs)} ms. Idle memory: ${idleMb} MB; after the load: ${residentMb(docent.pid!)} MB.`,
)

docent.kill()
bare.kill()
await once(docent, 'exit')
rmSync(folder, { recursive: true })

async function readBanner(child: ChildProcess) {
  const found: Record<string, string> = {}
  for await (const line of createInterface(child.stdout!)) {
    const [, key, value] = /^(Token:|Docent is ready at) (\S+)$/.exec(line) ?? []
    if (key) found[key] = value!
    if (found['Token:']) break
  }
  return { address: found['Docent is ready at']!, token: found['Token:']! }
}

async function untilReady(base: string): Promise<number> {
  const response = await fetch(`${base}/readyz`)
  if (!response.ok) throw new Error('not ready')
  return performance.now() - started
}

function load(
  base: string,
  { path, method = 'GET', body }: Target,
  connections: number,
  duration: number,
) {
  const paths = [path].flat()
  return autocannon({
    url: base,
    connections,
    duration,
    requests: paths.map((one) => ({
      path: one,
      method,
      headers,
      ...(body !== undefined && { body }),
    })),
  })
}

function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1024)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
