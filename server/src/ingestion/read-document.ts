import { Worker } from 'node:worker_threads'
import type { IndexedPassage } from '../search/sqlite-index.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import type { ExtractedText } from './extract/html.ts'
import type { PageLinks } from './extract/links.ts'
import { IngestionError } from './ingestion-error.ts'

export type ThreadTask =
  | { name: 'extract'; input: DocumentInput }
  | { name: 'find-links'; input: DocumentInput; pageUrl: string }
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
  readonly #timeLimitMs: number
  #worker: Worker | undefined
  #current: Job | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor({ timeLimitMs = TIME_LIMIT_MS } = {}) {
    this.#timeLimitMs = timeLimitMs
  }

  extract(input: DocumentInput): Promise<ExtractedText> {
    return this.#perform({ name: 'extract', input }) as Promise<ExtractedText>
  }

  findLinks(input: DocumentInput, pageUrl: string): Promise<PageLinks> {
    return this.#perform({ name: 'find-links', input, pageUrl }) as Promise<PageLinks>
  }

  split(text: string): Promise<IndexedPassage[]> {
    return this.#perform({ name: 'split', text }) as Promise<IndexedPassage[]>
  }

  countTokens(text: string): Promise<number> {
    return this.#perform({ name: 'count-tokens', text }) as Promise<number>
  }

  /** What is being read is given up, and what comes later is refused. */
  async close(): Promise<void> {
    this.#closed = true
    const given = [...(this.#current ? [this.#current] : []), ...this.#queue.splice(0)]
    for (const { reject } of given) reject(new Error('The server is stopping'))
    this.#current = undefined
    await this.#end()
  }

  #perform(task: ThreadTask): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error('The server is stopping'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      if (!this.#current) this.#next()
    })
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#current = this.#queue.shift()
    if (!this.#current) {
      this.#timer = setTimeout(() => void this.#end(), IDLE_MS)
      this.#timer.unref()
      return
    }
    this.#worker ??= this.#start()
    this.#timer = setTimeout(() => this.#abandon('took too long'), this.#timeLimitMs)
    this.#worker.postMessage(this.#current.task)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./document-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
    })
    worker.unref()
    // A thread that was ended may still have spoken: that is no answer to the task of the one after it.
    worker.on('message', (reply: ThreadReply) => {
      if (worker === this.#worker) this.#answer(reply)
    })
    worker.on('error', () => {
      if (worker === this.#worker) this.#abandon('needed too much memory')
    })
    return worker
  }

  #answer(reply: ThreadReply): void {
    const job = this.#current
    if ('error' in reply) job?.reject(new Error(reply.error))
    else job?.resolve(reply.result)
    this.#next()
  }

  #abandon(reason: string): void {
    void this.#end()
    this.#current?.reject(
      new IngestionError('fail', `Reading it ${reason}. Try it in smaller parts.`),
    )
    this.#next()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
