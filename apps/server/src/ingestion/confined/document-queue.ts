import { DocumentProcess, type ReadingLimits, type TaskListener } from './document-process.ts'
import { OrphanGuard } from './orphan-guard.ts'
import type { ReadingResult, ReadingTask } from './worker-messages.ts'

interface Job {
  task: ReadingTask
  listener: TaskListener
  owner: string
  resolve: (result: ReadingResult) => void
  reject: (error: Error) => void
}

/**
 * Tasks that wait for a process. The owner with the fewest running tasks comes first, then the oldest task. A spare
 * process serves owners without running tasks, so that heavy documents never block another owner.
 */
export class DocumentQueue {
  readonly #waiting: Job[] = []
  readonly #processes: DocumentProcess[]
  readonly #spare: DocumentProcess
  readonly #guard = new OrphanGuard()
  /** The owner of the task that each process runs. */
  readonly #owners = new Map<DocumentProcess, string>()
  #closed = false

  constructor(limits: ReadingLimits, processes: number) {
    const start = () => new DocumentProcess(limits, this.#guard)
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
    const next = this.#fewestInWork()
    const isNewcomer = next !== undefined && this.#inWork(next) === 0
    const free = this.#processes.find((process) => !process.busy)
    const process = free ?? (isNewcomer && !this.#spare.busy ? this.#spare : undefined)
    const [job] = process && next ? this.#waiting.splice(this.#waiting.indexOf(next), 1) : []
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

  #fewestInWork(): Job | undefined {
    let fewest: Job | undefined
    for (const job of this.#waiting)
      if (!fewest || this.#inWork(job) < this.#inWork(fewest)) fewest = job
    return fewest
  }

  #inWork({ owner }: Job): number {
    return [...this.#owners.values()].filter((one) => one === owner).length
  }
}
