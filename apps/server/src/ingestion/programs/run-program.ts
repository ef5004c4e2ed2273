import { type ChildProcess, spawn } from 'node:child_process'
import { killGroup, ProcessGuard } from '../confined/process-guard.ts'

export interface ProgramRun {
  /** Its whole path. */
  program: string
  args: string[]
  /** Where it works, what it takes for its user's home, and where it may leave things. */
  folder: string
  input?: Uint8Array
  env?: Record<string, string>
  timeMs: number
  signal?: AbortSignal | undefined
}

export interface ProgramResult {
  /** Null when it was killed. */
  code: number | null
  output: Buffer
}

const MAX_OUTPUT_BYTES = 50 * 1024 * 1024
// Address space and size of any one file, in kilobytes and in blocks of 512 bytes: limits that the system itself holds.
const LIMITED = 'ulimit -v 4000000; ulimit -f 400000; exec "$@"'

/**
 * Runs programs of others over files that somebody uploaded: with nothing of our environment, in limits of time,
 * memory and output, without a network where the system lets us take it away, and killed with all that they started.
 */
export class ProgramRunner {
  readonly #guard = new ProcessGuard()
  readonly #searchPath: string
  readonly #unshare: string | undefined
  #alone: Promise<string[]> | undefined

  constructor(searchPath: string, unshare: string | undefined) {
    this.#searchPath = searchPath
    this.#unshare = unshare
  }

  async run({ program, args, folder, input, env = {}, timeMs, signal }: ProgramRun) {
    this.#alone ??= this.#findOutAlone(folder)
    const command = [...(await this.#alone), program, ...args]
    signal?.throwIfAborted()
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...command], {
      cwd: folder,
      detached: true,
      env: { HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8', PATH: this.#searchPath, ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#guard.watch(child)
    const kill = () => killGroup(child)
    const timer = setTimeout(kill, timeMs)
    signal?.addEventListener('abort', kill)
    try {
      // One that ends before it has read everything says so by its exit.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const result = await resultOf(child, kill)
      signal?.throwIfAborted()
      return result
    } finally {
      // What it started and left behind ends with it.
      kill()
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
  }

  close(): void {
    this.#guard.close()
  }

  /** What to put before a command so that it has no network; nothing where the system does not allow that. */
  async #findOutAlone(folder: string): Promise<string[]> {
    if (!this.#unshare) return []
    const alone = [this.#unshare, '--user', '--net', '--']
    const child = spawn(alone[0]!, [...alone.slice(1), 'true'], { cwd: folder, stdio: 'ignore' })
    const { code } = await resultOf(child, () => child.kill('SIGKILL'))
    return code === 0 ? alone : []
  }
}

function resultOf(child: ChildProcess, kill: () => void): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    child.stdout?.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MAX_OUTPUT_BYTES) kill()
      else chunks.push(chunk)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks) }))
  })
}
