import { Worker } from 'node:worker_threads'
import type {
  InferenceOptions,
  InferenceReply,
  InferenceRequest,
  InferenceResults,
  InferenceTask,
} from './inference-protocol.ts'

type Waiting = PromiseWithResolvers<never>

/** The main thread's end of the thread in which models run. It starts when it is first needed. */
export class Inference {
  readonly #options: InferenceOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  constructor(options: InferenceOptions = { folder: undefined }) {
    this.#options = options
  }

  run<T extends InferenceTask>(task: T): Promise<InferenceResults[T['kind']]> {
    if (this.#isClosed) return Promise.reject(new Error('The models are closed'))
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<never>()
    this.#waiting.set(id, waiting)
    this.#worker.postMessage({ id, task } satisfies InferenceRequest)
    return waiting.promise
  }

  /** What runs is let run to its end: a thread that is ended in the middle of it takes the process with it. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = [...this.#waiting.values()].map(({ promise }) => promise)
    await Promise.allSettled(running)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    // The library in which they run would tell its makers of it, and keep in the home folder what it can't send. This is
    // its only switch, and a thread can't set it for itself.
    // biome-ignore lint/style/noProcessEnv: it is set for the library alone
    process.env.ORT_DISABLE_TELEMETRY = '1'
    const worker = new Worker(new URL('./inference-thread.ts', import.meta.url), {
      workerData: this.#options,
    })
    worker.on('message', (reply: InferenceReply) => {
      const waiting = this.#waiting.get(reply.id)
      this.#waiting.delete(reply.id)
      if ('error' in reply) waiting?.reject(new Error(reply.error))
      else waiting?.resolve(reply.result as never)
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => this.#fail(new Error('The thread of the models ended')))
    return worker
  }

  /** The next request starts another thread. */
  #fail(error: unknown): void {
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
