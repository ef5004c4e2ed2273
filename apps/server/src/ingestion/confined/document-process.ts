import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PagePicture } from '@docent/extract/pdf/page-picture.ts'
import type { ReadingProgress } from '@docent/extract/reading-host.ts'
import { refuseReplacedCode } from '../../runtime/replaced-code.ts'
import { forkConfined } from './fork-confined.ts'
import type { OrphanGuard } from './orphan-guard.ts'
import type {
  ReadingMessage,
  ReadingOrder,
  ReadingPart,
  ReadingResult,
  ReadingTask,
} from './worker-messages.ts'

export interface ReadingLimits {
  /** Limit on the time without a sign of progress. */
  stallTimeoutMs: number
  /** Time limit of a task that yields no text, from its first byte on. Each character of text extends it. */
  noTextTimeoutMs: number
  /** Time limit of a task in total. */
  taskMs: number
  /** Limit on the resident memory of the process. */
  memoryMb: number
  /** How long an idle process is kept. */
  idleMs: number
}

const WATCH_MS = 200
// Time that a task earns with each character. Signs of progress earn nothing: 200,000 references to an empty page give
// a sign every few milliseconds, without end.
const MS_A_CHARACTER = 2
// Files are sent in pieces to avoid a second copy in memory.
const PIECE_BYTES = 1024 * 1024
const NO_BYTES = new Uint8Array()

/** The caller's signal and callbacks for a task. */
export interface TaskListener {
  /** Ends the task and its process. */
  signal?: AbortSignal | undefined
  onPart?: ((part: ReadingPart) => void) | undefined
  onProgress?: ((progress: ReadingProgress) => void) | undefined
  /** Returns the text of a page that is an image. */
  recognise?: ((picture: PagePicture) => Promise<string>) | undefined
}

interface Job extends TaskListener {
  startedAt: number
  /** Counted when a page is read, and again when its text is split. */
  characters: number
  resolve: (result: ReadingResult) => void
  reject: (error: Error) => void
}

/**
 * A process that reads one document at a time. It starts on demand and stays for the next document. It is killed when
 * it exceeds a limit, and ends when it is idle.
 */
export class DocumentProcess {
  readonly #limits: ReadingLimits
  readonly #guard: OrphanGuard
  #child: ChildProcess | undefined
  #ready = false
  #job: Job | undefined
  #silence: NodeJS.Timeout | undefined
  #timers: NodeJS.Timeout[] = []

  constructor(limits: ReadingLimits, guard: OrphanGuard) {
    this.#limits = limits
    this.#guard = guard
  }

  get busy(): boolean {
    return this.#job !== undefined
  }

  perform(task: ReadingTask, listener: TaskListener = {}): Promise<ReadingResult> {
    this.#clearTimers()
    try {
      this.#child ??= this.#start()
    } catch (error) {
      return Promise.reject(error)
    }
    const child = this.#child
    const { stallTimeoutMs } = this.#limits
    const { promise, resolve, reject } = Promise.withResolvers<ReadingResult>()
    const { signal } = listener
    const abort = () => void this.end(new Error('Nobody waits for it any more'))
    const job: Job = { ...listener, startedAt: performance.now(), characters: 0, resolve, reject }
    this.#job = job
    this.#silence = setTimeout(() => this.#stop('reading_too_long'), stallTimeoutMs)
    this.#timers = [
      this.#silence,
      setInterval(() => this.#watchTime(job), WATCH_MS),
      setInterval(() => void this.#watchMemory(child), WATCH_MS),
    ]
    signal?.addEventListener('abort', abort)
    void handOver(child, task)
    return promise.finally(() => signal?.removeEventListener('abort', abort))
  }

  /** Rejects the running task and kills the process. */
  async end(reason = new Error('The server is stopping')): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#settle((job) => job.reject(reason))
    const isRunning = child?.pid !== undefined && child.exitCode === null
    if (!child || !isRunning || child.signalCode !== null) return
    child.ref()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  #start(): ChildProcess {
    refuseReplacedCode()
    const child = forkConfined(join(import.meta.dirname, 'document-worker.ts'))
    this.#ready = false
    this.#guard.watch(child)
    child.unref()
    child.channel?.unref()
    // Ignore messages of an earlier process, which do not belong to the current task.
    child.on('message', (message: ReadingMessage) => {
      if (child === this.#child) this.#hear(message)
    })
    child.on('error', (error) => {
      if (child === this.#child) void this.end(error)
    })
    child.on('exit', (_code, signal) => {
      if (child === this.#child) this.#lose(signal)
    })
    return child
  }

  #hear(message: ReadingMessage): void {
    switch (message.type) {
      case 'ready':
        this.#ready = true
        // A slow start of the process does not count against the document.
        if (this.#job) this.#job.startedAt = performance.now()
        this.#silence?.refresh()
        break
      case 'life':
        this.#silence?.refresh()
        break
      case 'progress':
        this.#silence?.refresh()
        this.#earn(message.progress.characters)
        this.#job?.onProgress?.(message.progress)
        break
      case 'part':
        this.#silence?.refresh()
        if ('text' in message.part) this.#earn(message.part.text.length)
        this.#job?.onPart?.(message.part)
        break
      case 'recognise':
        void this.#recognise(message.picture)
        break
      case 'result':
        this.#settle((job) => job.resolve(message.result))
        break
      case 'refusal':
        this.#settle((job) =>
          job.reject(
            new IngestionError(message.status, message.failure, { isScan: message.isScan }),
          ),
        )
        break
      case 'error':
        this.#settle((job) => job.reject(new Error(message.error)))
        break
    }
  }

  async #recognise(picture: PagePicture): Promise<void> {
    const job = this.#job
    // Text recognition has its own timeout, so its silence does not count.
    const waiting = setInterval(() => this.#silence?.refresh(), WATCH_MS)
    try {
      const text = (await job?.recognise?.(picture)) ?? ''
      if (job === this.#job && this.#child) await send(this.#child, { type: 'recognised', text })
    } catch (error) {
      if (job === this.#job) void this.end(error as Error)
    } finally {
      clearInterval(waiting)
    }
  }

  /** The process ended unexpectedly: with a signal if memory ran out, with an exit code if a parser ended it. */
  #lose(signal: NodeJS.Signals | null): void {
    if (!this.#ready) void this.end(new Error('The process for documents did not start'))
    else if (signal) this.#stop('reading_too_large', signal === 'SIGKILL')
    else void this.end(new IngestionError('fail', { code: 'damaged' }))
  }

  #stop(code: 'reading_too_long' | 'reading_too_large', wasKilled = false): void {
    void this.end(new IngestionError('fail', { code }, { wasKilled }))
  }

  #settle(settle: (job: Job) => void): void {
    this.#clearTimers()
    const job = this.#job
    this.#job = undefined
    if (this.#child) {
      const idle = setTimeout(() => void this.end(), this.#limits.idleMs)
      this.#timers = [idle.unref()]
    }
    if (job) settle(job)
  }

  #clearTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }

  #earn(characters: number): void {
    if (this.#job) this.#job.characters += characters
  }

  #watchTime({ startedAt, characters }: Job): void {
    const { noTextTimeoutMs, taskMs } = this.#limits
    const mostMs = Math.min(taskMs, noTextTimeoutMs + characters * MS_A_CHARACTER)
    if (performance.now() - startedAt >= mostMs) this.#stop('reading_too_long')
  }

  /** Node limits only the JavaScript heap. Buffers and compiled code come on top. */
  async #watchMemory(child: ChildProcess): Promise<void> {
    // Only Linux has this file.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    const isOver = kilobytes > this.#limits.memoryMb * 1024
    if (isOver && child === this.#child) this.#stop('reading_too_large')
  }
}

async function handOver(child: ChildProcess, task: ReadingTask): Promise<void> {
  const { bytes, isHandedOver = false } = task.input
  const { length } = bytes
  for (let offset = 0; offset < length; offset += PIECE_BYTES) {
    const piece = bytes.subarray(offset, offset + PIECE_BYTES)
    await send(child, { type: 'piece', offset, size: length, bytes: piece })
  }
  if (isHandedOver && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
  const input = { ...task.input, bytes: NO_BYTES }
  await send(child, { type: 'task', task: { ...task, input } })
}

/** Skips a process that is gone or never started, because its exit event reports that. */
async function send(child: ChildProcess, order: ReadingOrder): Promise<void> {
  if (child.connected) await new Promise<void>((resolve) => child.send(order, () => resolve()))
}
