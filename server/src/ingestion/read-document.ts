import type { IndexedPassage } from '../search/sqlite-index.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import type { ExtractedText } from './extract/html.ts'
import type { PageLinks } from './extract/links.ts'
import type { ReadingResult, ReadingTask } from './perform-task.ts'
import { type ReadingLimits, ReadingProcess } from './reading-process.ts'

// So that one heavy document does not hold up all others.
const PROCESSES = 2

const LIMITS: ReadingLimits = {
  silenceMs: 25_000,
  taskMs: 300_000,
  // It is looked at now and then, so that what is taken in between has to fit below a gigabyte, too.
  memoryMb: 800,
  idleMs: 20_000,
}

interface Job {
  task: ReadingTask
  resolve: (result: ReadingResult) => void
  reject: (error: Error) => void
}

/** Reads documents in processes of their own, in the order in which they come. */
export class DocumentReader {
  readonly #waiting: Job[] = []
  readonly #processes: ReadingProcess[]
  #closed = false

  constructor(limits: Partial<ReadingLimits> = {}) {
    const all = { ...LIMITS, ...limits }
    this.#processes = Array.from({ length: PROCESSES }, () => new ReadingProcess(all))
  }

  extract(input: DocumentInput): Promise<ExtractedText> {
    return this.#perform({ name: 'extract', input }) as Promise<ExtractedText>
  }

  findLinks(input: DocumentInput, pageUrl: string): Promise<PageLinks> {
    return this.#perform({ name: 'find-links', input, pageUrl }) as Promise<PageLinks>
  }

  split(text: string, pages?: number[]): Promise<IndexedPassage[]> {
    return this.#perform({ name: 'split', text, pages }) as Promise<IndexedPassage[]>
  }

  countTokens(text: string): Promise<number> {
    return this.#perform({ name: 'count-tokens', text }) as Promise<number>
  }

  /** What is being read is given up, and what comes later is refused. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('The server is stopping'))
    await Promise.all(this.#processes.map((process) => process.end()))
  }

  #perform(task: ReadingTask): Promise<ReadingResult> {
    if (this.#closed) return Promise.reject(new Error('The server is stopping'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject })
      this.#next()
    })
  }

  #next(): void {
    const free = this.#processes.find((process) => !process.busy)
    const job = free && this.#waiting.shift()
    if (!job) return
    free
      .perform(job.task)
      .then(job.resolve, job.reject)
      .finally(() => this.#next())
  }
}
