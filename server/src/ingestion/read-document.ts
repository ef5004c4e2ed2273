import { Worker } from 'node:worker_threads'
import type { IndexedPassage } from '../search/sqlite-index.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import type { ExtractedText } from './extract/html.ts'

export type ThreadTask =
  | { name: 'extract'; input: DocumentInput }
  | { name: 'split'; text: string }
  | { name: 'count-tokens'; text: string }

export type ThreadReply = { result: unknown } | { error: string }

const TIME_LIMIT_MS = 60_000
const MEMORY_LIMIT_MB = 512
const IDLE_MS = 20_000

type Job = { task: ThreadTask; resolve: (result: unknown) => void; reject: (error: Error) => void }

/** Reads documents one after another on a thread of its own, which is ended when it hangs, and when it is idle. */
export class DocumentReader {
  readonly #queue: Job[] = []
  #worker: Worker | undefined
  #current: Job | undefined
  #timer: NodeJS.Timeout | undefined

  extract(input: DocumentInput): Promise<ExtractedText> {
    return this.#perform({ name: 'extract', input }) as Promise<ExtractedText>
  }

  split(text: string): Promise<IndexedPassage[]> {
    return this.#perform({ name: 'split', text }) as Promise<IndexedPassage[]>
  }

  countTokens(text: string): Promise<number> {
    return this.#perform({ name: 'count-tokens', text }) as Promise<number>
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    for (const { reject } of this.#queue.splice(0)) reject(new Error('The server is stopping'))
    await this.#worker?.terminate()
  }

  #perform(task: ThreadTask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      if (!this.#current) this.#next()
    })
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#current = this.#queue.shift()
    if (!this.#current) {
      this.#timer = setTimeout(() => void this.#worker?.terminate(), IDLE_MS)
      this.#timer.unref()
      return
    }
    this.#worker ??= this.#start()
    this.#timer = setTimeout(() => this.#abandon('took longer than a minute'), TIME_LIMIT_MS)
    this.#worker.postMessage(this.#current.task)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./document-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    })
    worker.unref()
    worker.on('message', (reply: ThreadReply) => {
      const job = this.#current
      if ('error' in reply) job?.reject(new Error(reply.error))
      else job?.resolve(reply.result)
      this.#next()
    })
    worker.on('error', () => this.#abandon('needed too much memory'))
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }

  #abandon(reason: string): void {
    const job = this.#current
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    job?.reject(new Error(`Reading the document ${reason}`))
    this.#next()
  }
}
