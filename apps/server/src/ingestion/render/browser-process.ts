import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { measureGroupMemory } from './measure-group-memory.ts'

// biome-ignore lint/suspicious/noExplicitAny: the protocol's own shapes, one for each call
type Reply = any
type Message = {
  id?: number
  method?: string
  params?: unknown
  error?: { message: string }
  result?: Reply
}
type Call = { resolve: (result: Reply) => void; reject: (error: Error) => void }

const WATCH_MS = 250
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
const MAX_COMPLAINT = 2_000

/**
 * Keeps the browser off the network. It resolves no host names and sends all requests, loopback included, to a proxy
 * that does not exist. The server answers the requests of its pages.
 */
const NO_NETWORK = [
  '--proxy-server=http://nowhere.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // QUIC and WebRTC would bypass a proxy.
  '--disable-quic',
  // Chromium reads the first flag, its headless shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]
const QUIET = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-sync',
  '--mute-audio',
  '--no-first-run',
]

/** One browser for one page, controlled over a pipe (Chrome DevTools Protocol). */
export class BrowserProcess {
  /** Events of the protocol, under their protocol names. */
  readonly events = new EventEmitter()
  /** Rejects when the browser exits or exceeds a limit. */
  readonly failure: Promise<never>
  readonly #fail: (error: Error) => void
  readonly #child: ChildProcess
  readonly #calls = new Map<number, Call>()
  readonly #watch: NodeJS.Timeout
  #lastId = 0
  #heard: Buffer[] = []
  #heardBytes = 0
  #complaint = ''

  constructor(program: string, folder: string, memoryMb: number) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.failure = promise
    this.#fail = reject
    // A process group of its own, so that `end` kills all of its processes.
    this.#child = spawn(program, flags(folder), {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      // The server's environment may hold keys, so the browser gets none of it.
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
    })
    this.#child.on('error', (error) => this.#lose(error.message))
    this.#child.on('exit', () => this.#lose(this.#complaint))
    const [, , complaints, input, output] = this.#child.stdio as [
      null,
      null,
      Readable,
      Writable,
      Readable,
    ]
    complaints.on('data', (data) => {
      this.#complaint = (this.#complaint + data).slice(-MAX_COMPLAINT)
    })
    // Writes fail once the browser is gone. Its exit event reports that.
    input.on('error', () => {})
    output.on('data', (data: Buffer) => this.#hear(data))
    this.#watch = setInterval(() => void this.#watchMemory(memoryMb), WATCH_MS)
  }

  call(method: string, params: object = {}, sessionId?: string): Promise<Reply> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    this.#calls.set(id, { resolve, reject })
    const input = this.#child.stdio[3] as Writable
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return Promise.race([promise, this.failure])
  }

  async end(): Promise<void> {
    clearInterval(this.#watch)
    const { pid, exitCode, signalCode } = this.#child
    if (pid === undefined) return
    const isOver = exitCode !== null || signalCode !== null
    const exited = isOver ? undefined : once(this.#child, 'exit')
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The whole process group has already exited.
    }
    await exited
  }

  #hear(data: Buffer): void {
    let rest = data
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message = Buffer.concat([...this.#heard, rest.subarray(0, end)])
      this.#heard = []
      this.#heardBytes = 0
      rest = rest.subarray(end + 1)
      this.#understand(JSON.parse(message.toString()))
    }
    this.#heard.push(rest)
    this.#heardBytes += rest.length
    if (this.#heardBytes > MAX_MESSAGE_BYTES) this.#fail(tooMuch())
  }

  #understand({ id, method, params, error, result }: Message): void {
    if (id === undefined) {
      this.events.emit(method!, params)
      return
    }
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (error) call?.reject(new Error(error.message))
    else call?.resolve(result)
  }

  #lose(complaint: string): void {
    this.#fail(new Error(`The browser ended: ${complaint}`))
  }

  async #watchMemory(memoryMb: number): Promise<void> {
    const used = await measureGroupMemory(this.#child.pid!)
    if (used > memoryMb) this.#fail(tooMuch())
  }
}

function flags(folder: string): string[] {
  // Chromium refuses to run as root with its sandbox, and the sandbox does not restrict root.
  const isRoot = process.getuid?.() === 0
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${folder}`,
    '--js-flags=--max-old-space-size=512',
    ...NO_NETWORK,
    ...QUIET,
    ...(isRoot ? ['--no-sandbox'] : []),
    'about:blank',
  ]
}

function tooMuch(): IngestionError {
  return new IngestionError('error:no text', { code: 'scripts_too_large' })
}
