import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceStatus } from '../database/tables.ts'
import { forkConfined } from './fork-confined.ts'
import { IngestionError } from './ingestion-error.ts'
import type { ReadingResult, ReadingTask } from './perform-task.ts'

/** What the process says of its task. */
export type ReadingMessage =
  | { type: 'ready' }
  | { type: 'progress' }
  | { type: 'result'; result: ReadingResult }
  | { type: 'refusal'; status: SourceStatus; reason: string }
  | { type: 'error'; error: string }

export interface ReadingLimits {
  /** How long it may go on without a sign of progress. */
  silenceMs: number
  /** How long one task may take in all. */
  taskMs: number
  /** What the process may take of the machine's memory. */
  memoryMb: number
  /** How long a process is kept that has nothing to do. */
  idleMs: number
}

const WATCH_MS = 200

type Job = { resolve: (result: ReadingResult) => void; reject: (error: Error) => void }

/**
 * A process that reads one document at a time: started when there is something to read, kept for the next document,
 * killed when it exceeds a limit, ended when it is idle.
 */
export class ReadingProcess {
  readonly #limits: ReadingLimits
  #child: ChildProcess | undefined
  #ready = false
  #job: Job | undefined
  #silence: NodeJS.Timeout | undefined
  #timers: NodeJS.Timeout[] = []

  constructor(limits: ReadingLimits) {
    this.#limits = limits
  }

  get busy(): boolean {
    return this.#job !== undefined
  }

  perform(task: ReadingTask): Promise<ReadingResult> {
    this.#clearTimers()
    this.#child ??= this.#start()
    const child = this.#child
    const { silenceMs, taskMs } = this.#limits
    return new Promise((resolve, reject) => {
      this.#job = { resolve, reject }
      this.#silence = setTimeout(() => this.#stop('took too long'), silenceMs)
      this.#timers = [
        this.#silence,
        setTimeout(() => this.#stop('took too long'), taskMs),
        setInterval(() => void this.#watchMemory(child), WATCH_MS),
      ]
      // A process that is gone can't be told anything, which its exit says better.
      child.send(task, () => {})
    })
  }

  /** What is being read is given up. */
  async end(reason = new Error('The server is stopping')): Promise<void> {
    const child = this.#child
    this.#child = undefined
    this.#settle((job) => job.reject(reason))
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  #start(): ChildProcess {
    const child = forkConfined(join(import.meta.dirname, 'document-process.ts'))
    this.#ready = false
    child.unref()
    child.channel?.unref()
    // A process that was given up may still have spoken: that is no answer to the task of the one after it.
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
        break
      case 'progress':
        this.#silence?.refresh()
        break
      case 'result':
        this.#settle((job) => job.resolve(message.result))
        break
      case 'refusal':
        this.#settle((job) => job.reject(new IngestionError(message.status, message.reason)))
        break
      case 'error':
        this.#settle((job) => job.reject(new Error(message.error)))
        break
    }
  }

  /** It ended by itself. One that runs out of memory aborts, which is a signal; one that a parser ends exits. */
  #lose(signal: NodeJS.Signals | null): void {
    if (!this.#ready) void this.end(new Error('The process that reads documents did not start'))
    else if (signal) this.#stop('needed too much memory')
    else void this.end(new IngestionError('fail', 'It is damaged and can’t be read.'))
  }

  #stop(reason: string): void {
    void this.end(new IngestionError('fail', `Reading it ${reason}. Try it in smaller parts.`))
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

  /** Node limits the heap of JavaScript alone; buffers and compiled code are beside it. */
  async #watchMemory(child: ChildProcess): Promise<void> {
    // Only Linux has this file.
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
    const isOver = kilobytes > this.#limits.memoryMb * 1024
    if (isOver && child === this.#child) this.#stop('needed too much memory')
  }
}
