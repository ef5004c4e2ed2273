import type { ReadingResult, ReadingTask } from './perform-task.ts'
import { ProcessGuard } from './process-guard.ts'
import { type ReadingLimits, ReadingProcess, type TaskListener } from './reading-process.ts'

interface Job {
  task: ReadingTask
  listener: TaskListener
  owner: string
  resolve: (result: ReadingResult) => void
  reject: (error: Error) => void
}

/**
 * Tasks that wait for a process, in the order in which they come; but whoever has none in work comes before those who have.
 * One process more than the given ones is kept for them, so that nobody's heavy documents hold another's up.
 */
export class ReadingQueue {
  readonly #waiting: Job[] = []
  readonly #processes: ReadingProcess[]
  readonly #spare: ReadingProcess
  readonly #guard = new ProcessGuard()
  /** Whose task each process works on. */
  readonly #owners = new Map<ReadingProcess, string>()
  #closed = false

  constructor(limits: ReadingLimits, processes: number) {
    const start = () => new ReadingProcess(limits, this.#guard)
    this.#processes = Array.from({ length: processes }, start)
    this.#spare = start()
  }

  perform(task: ReadingTask, listener: TaskListener, owner: string): Promise<ReadingResult> {
    if (this.#closed) return Promise.reject(new Error('The server is stopping'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, listener, owner, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The server is stopping'))
    await Promise.all([...this.#processes, this.#spare].map((process) => process.end()))
    this.#guard.close()
  }

  #next(): void {
    const served = new Set(this.#owners.values())
    const newcomer = this.#waiting.findIndex(({ owner }) => !served.has(owner))
    const free = this.#processes.find((process) => !process.busy)
    const process = free ?? (newcomer >= 0 && !this.#spare.busy ? this.#spare : undefined)
    const [job] = process ? this.#waiting.splice(Math.max(0, newcomer), 1) : []
    if (!process || !job) return
    if (job.listener.signal?.aborted) {
      job.reject(new Error('Nobody waits for it any more'))
      this.#next()
      return
    }
    this.#owners.set(process, job.owner)
    process
      .perform(job.task, job.listener)
      .then(job.resolve, job.reject)
      .finally(() => {
        this.#owners.delete(process)
        this.#next()
      })
  }
}
