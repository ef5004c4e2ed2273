import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type {
  InferenceOptions,
  InferenceReply,
  InferenceRequest,
  InferenceResults,
  InferenceTask,
} from './inference-protocol.ts'

type Waiting = PromiseWithResolvers<never>

/** No task takes a tenth of it: a process that is silent for so long, with work to do, hangs. */
const LONGEST_SILENCE_MS = 60_000

/**
 * The server's end of the process in which models run. It starts when it is first needed. Models are native code and a
 * hundred megabytes: beside the server they can neither end it nor make it grow.
 */
export class Inference {
  readonly #options: InferenceOptions
  readonly #longestSilenceMs: number
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #lastId = 0
  #silence: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(
    options: InferenceOptions = { folder: undefined },
    longestSilenceMs = LONGEST_SILENCE_MS,
  ) {
    this.#options = options
    this.#longestSilenceMs = longestSilenceMs
  }

  run<T extends InferenceTask>(task: T): Promise<InferenceResults[T['kind']]> {
    if (this.#isClosed) return Promise.reject(new Error('The models are closed'))
    const id = ++this.#lastId
    const waiting = Promise.withResolvers<never>()
    this.#waiting.set(id, waiting)
    try {
      this.#child ??= this.#start()
      if (this.#waiting.size === 1) this.#awaitReply(this.#child)
      this.#tell(this.#child, { id, task })
    } catch (error) {
      this.#fail(error)
    }
    return waiting.promise
  }

  /** What runs is let run to its end. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = [...this.#waiting.values()].map(({ promise }) => promise)
    await Promise.allSettled(running)
    const child = this.#child
    this.#child = undefined
    if (child?.pid === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  #start(): ChildProcess {
    const { folder } = this.#options
    const child = fork(
      join(import.meta.dirname, 'inference-process.ts'),
      folder === undefined ? [] : [folder],
      {
        serialization: 'advanced',
        // A group of its own: Ctrl-C is for the server, which lets running answers end first.
        detached: true,
        // The library in which they run would tell its makers of it, and keep in the home folder what it can't send.
        env: { ORT_DISABLE_TELEMETRY: '1' },
        execArgv: ['--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    child.on('message', (reply: InferenceReply) => {
      this.#hear(reply)
      this.#awaitReply(child)
    })
    child.on('error', (error) => this.#lose(child, error))
    child.on('exit', () => this.#lose(child, new Error('The process of the models ended')))
    return child
  }

  /** Its exit fails what waits. */
  #awaitReply(child: ChildProcess): void {
    clearTimeout(this.#silence)
    if (this.#waiting.size === 0) return
    this.#silence = setTimeout(() => child.kill('SIGKILL'), this.#longestSilenceMs)
  }

  /** A process that never came can't be told anything, which its error says better. */
  #tell(child: ChildProcess, request: InferenceRequest): void {
    if (child.connected) child.send(request)
  }

  #hear(reply: InferenceReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('error' in reply)
      waiting?.reject(Object.assign(new Error(reply.error), { code: reply.code }))
    else waiting?.resolve(reply.result as never)
  }

  /** The next request starts another. */
  #lose(child: ChildProcess, error: unknown): void {
    if (child === this.#child) this.#fail(error)
  }

  #fail(error: unknown): void {
    clearTimeout(this.#silence)
    this.#child = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
