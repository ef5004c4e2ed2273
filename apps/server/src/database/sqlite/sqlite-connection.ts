import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import {
  largeBuffers,
  type Reply,
  type Request,
  type StatementResult,
  type ThreadOptions,
} from './sqlite-protocol.ts'

type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id'> : never
type Waiting = {
  resolve: (answer: unknown) => void
  reject: (error: Error) => void
}

/** An error of SQLite with its extended result code. */
export class SqliteError extends Error {
  readonly errcode: number | undefined

  constructor(message: string, errcode: number | undefined) {
    super(message)
    this.name = 'SqliteError'
    this.errcode = errcode
  }
}

const YOUNG_HEAP_MB = 8

/** Units that share a commit resolve together. Resolving in slices lets other requests run in between. */
const REPLIES_A_TURN = 32

/** The main thread's side of a database thread. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #outbox: Request[] = []
  /** Replies whose promises are not settled yet. */
  #arrived: Reply[] = []
  #lastId = 0
  #closing = false

  constructor(options: ThreadOptions) {
    this.#worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), {
      workerData: options,
      // Most memory here is garbage soon. With a larger young heap, a long document takes more memory.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    })
    this.#worker.on('message', (replies: Reply[]) => {
      this.#arrived.push(...replies)
      if (this.#arrived.length === replies.length) this.#settleSlice()
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => this.#failAll(new Error('The database is closed')))
  }

  /** True once the thread ended or was told to end. It accepts no more requests. */
  get hasEnded(): boolean {
    return this.#closing
  }

  /** Sends the requests of one turn of the event loop together, and those of a transaction at once. */
  send(request: Unnumbered<Request>): Promise<StatementResult[] | undefined> {
    return this.#ask(request) as Promise<StatementResult[] | undefined>
  }

  /** Runs a module's reading step in the thread. */
  runStep(module: string, input: unknown): Promise<unknown> {
    return this.#ask({ kind: 'step', module, input })
  }

  #ask(request: Unnumbered<Request>): Promise<unknown> {
    if (this.#closing) return Promise.reject(new Error('The database is closed'))
    const id = ++this.#lastId
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
    })
    this.#outbox.push({ ...request, id } as Request)
    if (request.kind !== 'unit' && request.kind !== 'step') this.#flush()
    else if (this.#outbox.length === 1) setImmediate(() => this.#flush())
    return answer
  }

  async close(): Promise<void> {
    if (this.#closing) return
    this.#flush()
    this.#closing = true
    const exited = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await exited
  }

  #flush(): void {
    if (this.#outbox.length === 0) return
    this.#worker.postMessage(this.#outbox, this.#outbox.flatMap(largeBuffers))
    this.#outbox = []
  }

  #settleSlice(): void {
    for (const reply of this.#arrived.splice(0, REPLIES_A_TURN)) this.#settle(reply)
    if (this.#arrived.length > 0) setImmediate(() => this.#settleSlice())
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('error' in reply) {
      waiting?.reject(new SqliteError(reply.error.message, reply.error.errcode))
    } else {
      waiting?.resolve('output' in reply ? reply.output : reply.results)
    }
  }

  #failAll(error: Error): void {
    this.#closing = true
    for (const reply of this.#arrived.splice(0)) this.#settle(reply)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
