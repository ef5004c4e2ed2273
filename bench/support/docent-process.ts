import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childrenRunning } from '@docent/server/test/child-processes.ts'

const ROOT = join(import.meta.dirname, '../..')
// The same flags as `npm start`.
const HOW_TO_RUN = JSON.parse(readFileSync(join(ROOT, 'scripts/how-to-run.json'), 'utf8')) as {
  flags: string[]
  environment: Record<string, string>
}

export interface LoopDelay {
  p50Ms: number
  p99Ms: number
}

/** A server in its own process, started like `npm start`, on an empty data folder. */
export class DocentProcess {
  readonly child: ChildProcess
  readonly address: string
  readonly token: string
  readonly readyMs: number
  readonly #folder: string
  readonly agent = new Agent({ keepAlive: true })

  private constructor(
    child: ChildProcess,
    folder: string,
    banner: { address: string; token: string; readyMs: number },
  ) {
    this.child = child
    this.#folder = folder
    this.address = banner.address
    this.token = banner.token
    this.readyMs = banner.readyMs
  }

  /** Starts a server. A given folder comes with the token of an existing owner, and is removed in the end too. */
  static async start(
    environment: Record<string, string> = {},
    given?: { folder: string; token: string },
  ): Promise<DocentProcess> {
    const folder = given?.folder ?? mkdtempSync(join(tmpdir(), 'docent-bench-'))
    const begun = performance.now()
    const watch = join(import.meta.dirname, 'watch-loop.ts')
    const child = spawn(
      process.execPath,
      [...HOW_TO_RUN.flags, `--import=${watch}`, 'apps/server/src/cli.ts', 'serve'],
      {
        cwd: ROOT,
        env: {
          DATA_DIR: folder,
          PORT: '0',
          NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'),
          ...HOW_TO_RUN.environment,
          ...environment,
        },
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      },
    )
    const end = () => child.kill('SIGKILL')
    process.on('exit', end)
    child.once('exit', () => process.off('exit', end))
    const banner: Record<string, string> = given ? { 'Token:': given.token } : {}
    for await (const line of createInterface(child.stdout!)) {
      const [, key, value] = /^(Token:|Docent is ready at) (\S+)$/.exec(line) ?? []
      if (key) banner[key] = value!
      if (banner['Token:'] && banner['Docent is ready at']) break
    }
    const address = banner['Docent is ready at']!
    const ready = await fetch(`${address}/readyz`)
    if (!ready.ok) throw new Error('The server is not ready')
    const readyMs = performance.now() - begun
    return new DocentProcess(child, folder, { address, token: banner['Token:']!, readyMs })
  }

  get headers() {
    return { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
  }

  post(path: string, body: object = {}): Promise<IncomingMessage> {
    return postJson(`${this.address}/api/v1${path}`, body, this.headers, this.agent)
  }

  // biome-ignore lint/suspicious/noExplicitAny: benchmarks read bodies of every shape
  async api(path: string, body: object = {}): Promise<any> {
    return JSON.parse(await readText(await this.post(path, body)))
  }

  // biome-ignore lint/suspicious/noExplicitAny: benchmarks read bodies of every shape
  async get(path: string): Promise<any> {
    const response = await fetch(`${this.address}/api/v1${path}`, { headers: this.headers })
    return response.json()
  }

  /** Undefined if the upload was rejected. */
  async upload(chatbot: string, name: string, content: Uint8Array<ArrayBuffer>) {
    const form = new FormData()
    form.set('file', new Blob([content]), name)
    const { authorization } = this.headers
    const url = `${this.address}/api/v1/chatbot/${chatbot}/data-source/upload`
    const response = await fetch(url, { method: 'POST', headers: { authorization }, body: form })
    return ((await response.json()) as { uuid: string }).uuid
  }

  residentMb(): number {
    return residentMb(this.child.pid!)
  }

  /** The memory of the largest process that reads documents. */
  readerMb(): number {
    return Math.max(0, ...childrenRunning(this.child.pid!, 'document-worker').map(residentMb))
  }

  /** The event loop's delay since the last call. */
  async loopDelay(): Promise<LoopDelay> {
    this.child.send('loop delay')
    return (await once(this.child, 'message'))[0] as LoopDelay
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.agent.destroy()
    this.child.kill(signal)
    await once(this.child, 'exit')
    rmSync(this.#folder, { recursive: true })
  }
}

/** Starts a script of this folder that prints its address and serves until it is killed. */
export async function startScript(script: string, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, script), ...args],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  process.on('exit', () => child.kill('SIGKILL'))
  const [address] = await once(createInterface(child.stdout), 'line')
  return { address: String(address), stop: () => child.kill() }
}

export function postJson(
  url: string,
  body: object,
  headers: Record<string, string>,
  agent: Agent,
): Promise<IncomingMessage> {
  return callJson('POST', url, { headers, agent, body })
}

interface Call {
  headers: Record<string, string>
  agent: Agent
  body?: object | undefined
  signal?: AbortSignal
}

export function callJson(
  method: string,
  url: string,
  { body, ...options }: Call,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, ...options })
    outgoing.on('response', resolve).on('error', reject)
    outgoing.end(body && JSON.stringify(body))
  })
}

export async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}: ${text}`)
  return text
}

export function residentMb(pid: number): number {
  return Math.round(readNumber(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m) / 1024)
}

/** 0 if the process has ended. */
function readNumber(file: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}
