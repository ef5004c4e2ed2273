import { Worker } from 'node:worker_threads'
import type { Embedder } from '../embedders.ts'
import type { EmbeddingReply, EmbeddingRequest } from './embedding-protocol.ts'

type Waiting = PromiseWithResolvers<Float32Array[]>

/** The main thread's end of a model. The thread starts, and the model is loaded, when it is first needed. */
export class ThreadedEmbedder implements Embedder {
  readonly name: string
  readonly dimensions: number
  readonly #folder: string | undefined
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  constructor(name: string, dimensions: number, folder?: string) {
    this.name = name
    this.dimensions = dimensions
    this.#folder = folder
  }

  async embedQuestion(text: string): Promise<Float32Array> {
    const [vector] = await this.#send([text], true)
    return vector!
  }

  embedPassages(texts: string[]): Promise<Float32Array[]> {
    return this.#send(texts, false)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #send(texts: string[], isQuestion: boolean): Promise<Float32Array[]> {
    if (this.#isClosed) return Promise.reject(new Error('The embedder is closed'))
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<Float32Array[]>()
    this.#waiting.set(id, waiting)
    this.#worker.postMessage({ id, texts, isQuestion } satisfies EmbeddingRequest)
    return waiting.promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./embedding-thread.ts', import.meta.url), {
      workerData: { folder: this.#folder },
    })
    worker.on('message', (reply: EmbeddingReply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('error' in reply) waiting?.reject(new Error(reply.error))
      else waiting?.resolve(reply.vectors)
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('The embedder ended')))
    return worker
  }

  /** The next request starts another thread. */
  #fail(error: unknown): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
