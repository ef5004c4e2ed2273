import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

// What Docent adds to a language model: the same questions to a provider on this machine directly, and through Docent,
// in turns, so that a slow or busy machine slows both.
//   node bench/stream.ts [first|turns|steady|many|stuck …]

const ROOT = join(import.meta.dirname, '..')
const QUIET = ['--disable-warning=ExperimentalWarning']
const wanted = process.argv.slice(2)

const provider = spawn(process.execPath, [...QUIET, 'bench/stream-provider.ts'], {
  cwd: ROOT,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const providerAddress = String((await once(createInterface(provider.stdout), 'line'))[0])

const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
const docent = spawn(process.execPath, [...QUIET, 'server/src/cli.ts', 'serve'], {
  cwd: ROOT,
  env: {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: `${providerAddress}/v1`,
    OPENAI_MODELS: 'bench=100000',
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
  },
  stdio: ['ignore', 'pipe', 'ignore'],
})
for (const child of [provider, docent]) process.on('exit', () => child.kill('SIGKILL'))
const banner: Record<string, string> = {}
for await (const line of createInterface(docent.stdout)) {
  const [, key, value] = /^(Token:|Docent is ready at) (\S+)$/.exec(line) ?? []
  if (key) banner[key] = value!
  if (banner['Token:']) break
}
const address = banner['Docent is ready at']!
const agent = new Agent({ keepAlive: true })
const headers = {
  authorization: `Bearer ${banner['Token:']}`,
  'content-type': 'application/json',
}

function post(url: string, body: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent })
    outgoing.on('response', resolve).on('error', reject)
    outgoing.end(JSON.stringify(body))
  })
}

async function api(path: string, body: object = {}) {
  const response = await post(`${address}/api/v1${path}`, body)
  let text = ''
  for await (const piece of response) text += piece
  return JSON.parse(text)
}

const chatbot = await api('/chatbot/create', { name: 'Bench', rate_limit: [10_000, 1] })
await api(`/chatbot/${chatbot.uuid}/data-source/qa`, {
  question: 'How many words are there?',
  answer: 'As many as there are.',
})

type Ask = (words: number, gapMs: number) => Promise<IncomingMessage>

const askProvider: Ask = (words, gapMs) =>
  post(`${providerAddress}/v1/chat/completions`, {
    model: 'bench',
    stream: true,
    messages: [{ role: 'user', content: `How many words? ${words} ${gapMs}` }],
  })

/** Each asker has a session of its own, as people have. */
async function makeAskers(count: number): Promise<Ask[]> {
  const askers: Ask[] = []
  for (let i = 0; i < count; i++) {
    const { uuid } = await api(`/chatbot/${chatbot.uuid}/session/create`)
    askers.push((words, gapMs) =>
      post(`${address}/api/v1/session/${uuid}/message/stream`, {
        query: `How many words? ${words} ${gapMs}`,
      }),
    )
  }
  return askers
}

/** Reads it all; when the first of it came, and how much there was. */
async function read(asking: Promise<IncomingMessage>): Promise<{ firstMs: number; bytes: number }> {
  const begun = performance.now()
  const response = await asking
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
  let firstMs = 0
  let bytes = 0
  for await (const piece of response) {
    firstMs ||= performance.now() - begun
    bytes += piece.length
  }
  return { firstMs, bytes }
}

const share = (sorted: number[], of: number) => sorted[Math.floor((sorted.length - 1) * of)]!
const print = (line: string) => process.stdout.write(`${line}\n`)
const row = (what: string, measured: string, bar: string) =>
  print(`| ${what} | ${measured} | ${bar} |`)

function residentBytes(): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${docent.pid}/status`, 'utf8'))!
  return Number(kilobytes) * 1024
}

const measurements: Record<string, () => Promise<void>> = {
  async first() {
    const [ask] = await makeAskers(1)
    const times = { raw: [] as number[], docent: [] as number[] }
    for (let i = 0; i < 600; i++) {
      const raw = (await read(askProvider(3, 1))).firstMs
      const through = (await read(ask!(3, 1))).firstMs
      if (i < 100) continue
      times.raw.push(raw)
      times.docent.push(through)
    }
    for (const list of Object.values(times)) list.sort((a, b) => a - b)
    const at = (of: number) => share(times.docent, of) - share(times.raw, of)
    const own = `provider ${share(times.raw, 0.5).toFixed(1)} and ${share(times.raw, 0.99).toFixed(1)}`
    row('first text, ms over the provider’s, p50', at(0.5).toFixed(1), '≤ 3')
    row(`first text, ms over the provider’s, p99 (${own})`, at(0.99).toFixed(1), '≤ 20')
  },

  async turns() {
    const askers = await makeAskers(16)
    const rate = async (asks: Ask[], ms: number) => {
      const end = performance.now() + ms
      let turns = 0
      const begun = performance.now()
      await Promise.all(
        asks.map(async (ask) => {
          while (performance.now() < end) {
            await read(ask(20, 0))
            turns += 1
          }
        }),
      )
      return (turns * 1000) / (performance.now() - begun)
    }
    const raw = Array<Ask>(16).fill(askProvider)
    await rate(askers, 2000)
    const rounds: { raw: number; docent: number }[] = []
    for (let i = 0; i < 3; i++)
      rounds.push({ raw: await rate(raw, 3000), docent: await rate(askers, 3000) })
    const [, middle] = rounds.sort((a, b) => a.docent / a.raw - b.docent / b.raw)
    const measured = `${(middle!.docent / middle!.raw).toFixed(2)} (${Math.round(middle!.docent)} of ${Math.round(middle!.raw)} a second)`
    row('stored turns of 20 words at 16 connections, share of the provider’s', measured, '≥ 0.2')
  },

  async steady() {
    const askers = await makeAskers(200)
    const run = async (asks: Ask[]) => {
      const begun = performance.now()
      await Promise.all(asks.map((ask) => read(ask(150, 20))))
      return performance.now() - begun
    }
    const raw = await run(Array<Ask>(200).fill(askProvider))
    const through = await run(askers)
    const measured = `${(through / raw).toFixed(2)} (${Math.round(through)} ms for ${Math.round(raw)})`
    row('200 streams of 50 words a second, duration over the provider’s', measured, '≤ 1.1')
  },

  async many() {
    const askers = await makeAskers(2000)
    await sleep(1000)
    const before = residentBytes()
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, residentBytes())
    }, 200)
    const answers = await Promise.allSettled(askers.map((ask) => read(ask(30, 500))))
    clearInterval(watch)
    const whole = answers.filter((one) => one.status === 'fulfilled' && one.value.bytes === 149 + 1)
    const complete = answers.filter((one) => one.status === 'fulfilled').length
    row(
      '2,000 streams of 2 words a second, complete',
      `${Math.max(whole.length, complete)}`,
      '2,000',
    )
    row('the same, memory of each, kB', ((most - before) / 2000 / 1000).toFixed(0), '< 100')
  },

  async stuck() {
    const askers = await makeAskers(200)
    await Promise.all(askers.map((ask) => read(ask(100, 0))))
    await sleep(1000)
    const before = residentBytes()
    const answers = await Promise.all(askers.map((ask) => ask(8_000, 0)))
    for (const answer of answers) answer.pause()
    await sleep(8_000)
    const rise = (residentBytes() - before) / 1e6
    row('200 readers that stop reading 40 kB answers, MB', rise.toFixed(0), '≤ 50')
    for (const answer of answers) answer.destroy()
  },
}

print('| what | measured | bar |')
print('|---|---|---|')
for (const [name, measure] of Object.entries(measurements)) {
  if (wanted.length === 0 || wanted.includes(name)) await measure()
}
docent.kill()
provider.kill()
await once(docent, 'exit')
agent.destroy()
rmSync(folder, { recursive: true })
