import { type ChildProcess, spawn } from 'node:child_process'
import { killGroup, OrphanGuard } from '../confined/orphan-guard.ts'

export interface ProgramRun {
  /** The absolute path. */
  program: string
  args: string[]
  /** The working directory, and the program's HOME and TMPDIR. */
  folder: string
  input?: Uint8Array
  env?: Record<string, string>
  timeMs: number
  signal?: AbortSignal | undefined
}

export interface ProgramResult {
  /** Null if a signal killed the process. */
  code: number | null
  output: Buffer
}

const MAX_OUTPUT_BYTES = 50 * 1024 * 1024
// Limits of the kernel: address space in kilobytes (-v), size of any file in blocks of 512 bytes (-f).
const LIMITED = 'ulimit -v 4000000; ulimit -f 400000; exec "$@"'

/**
 * Runs external programs on uploaded files without the server's environment variables. It limits time, memory and
 * output, and removes network access where the system allows it. At the end it kills the whole process group.
 */
export class ProgramRunner {
  readonly #guard = new OrphanGuard()
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
      // A program may exit before it has read all input. Its exit code reports the failure.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const result = await resultOf(child, kill)
      signal?.throwIfAborted()
      return result
    } finally {
      // Kill child processes that the program left behind.
      kill()
      clearTimeout(timer)
      signal?.removeEventListener('abort', kill)
    }
  }

  close(): void {
    this.#guard.close()
  }

  /** Returns the command prefix that removes network access, or nothing if the system does not allow it. */
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
