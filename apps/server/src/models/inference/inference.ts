import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { refuseReplacedCode } from '../../runtime/replaced-code.ts'
import { FairQueue } from '../../sharing/fair-queue.ts'
import type {
  InferenceOptions,
  InferenceReply,
  InferenceRequest,
  InferenceResults,
  InferenceSign,
  InferenceTask,
} from './inference-protocol.ts'
import { InferenceWatch, PATIENCE_WITH_BUILT_IN, PATIENCE_WITH_FOLDER } from './inference-watch.ts'
import { ProcessActivity } from './process-activity.ts'

interface Waiting extends PromiseWithResolvers<never> {
  isForQuestion: boolean
}

// Concurrent tasks of each kind in the process, where they take turns text by text. There are enough that the process
// never idles, and so few that a task does not wait long. Short questions are embedded together.
const QUESTIONS_AT_ONCE = 4
const READINGS_AT_ONCE = 2
const BATCHES_AT_ONCE = 2
const MOST_TRIES = 3

/** The process ended during a task. */
class ProcessLost extends Error {}

/**
 * Controls the inference process, which starts on first use. Models are native code of a hundred megabytes. In a
 * separate process they cannot crash the server or grow its memory. Owners take turns, and questions do not wait
 * behind passages of documents.
 */
export class Inference {
  readonly #options: InferenceOptions
  readonly #waiting = new Map<number, Waiting>()
  readonly #questions = new FairQueue({ atOnce: QUESTIONS_AT_ONCE })
  readonly #readings = new FairQueue({ atOnce: READINGS_AT_ONCE })
  readonly #batches = new FairQueue({ atOnce: BATCHES_AT_ONCE })
  #child: ChildProcess | undefined
  #watch: InferenceWatch | undefined
  #lastId = 0
  #isClosed = false

  constructor(options: InferenceOptions = { folder: undefined }) {
    this.#options = options
  }

  /** The number of tasks that wait for their turn. */
  get waiting(): number {
    const queues = [this.#questions, this.#readings, this.#batches]
    return queues.reduce((sum, { waiting }) => sum + waiting, 0)
  }

  run<T extends InferenceTask>(task: T, ownerId: string): Promise<InferenceResults[T['kind']]> {
    if (!isForQuestion(task)) return this.#batches.run(ownerId, () => this.#runAgain(task))
    const queue = task.kind === 'read' ? this.#readings : this.#questions
    return queue.run(ownerId, () => this.#run(task))
  }

  /** Retries a document's task if the process ends. A question continues without the result. */
  async #runAgain<T extends InferenceTask>(task: T): Promise<InferenceResults[T['kind']]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#run(task)
      } catch (error) {
        if (!(error instanceof ProcessLost) || tries === MOST_TRIES || this.#isClosed) throw error
      }
    }
  }

  #run<T extends InferenceTask>(task: T): Promise<InferenceResults[T['kind']]> {
    if (this.#isClosed) return Promise.reject(new Error('The models are closed'))
    const isQuestion = isForQuestion(task)
    if (isQuestion && this.#watch?.isSilent) return Promise.reject(silent())
    const id = ++this.#lastId
    const waiting = { ...Promise.withResolvers<never>(), isForQuestion: isQuestion }
    this.#waiting.set(id, waiting)
    try {
      this.#child ??= this.#start()
      this.#watch!.begin()
      this.#tell(this.#child, { id, task })
    } catch (error) {
      this.#fail(error)
    }
    return waiting.promise
  }

  /** Waits for running tasks. */
  async close(): Promise<void> {
    this.#isClosed = true
    const running = [...this.#waiting.values()].map(({ promise }) => promise)
    await Promise.allSettled(running)
    const child = this.#child
    this.#child = undefined
    this.#watch?.stop()
    if (child?.pid === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  #start(): ChildProcess {
    refuseReplacedCode()
    const { folder } = this.#options
    const child = fork(
      join(import.meta.dirname, 'inference-worker.ts'),
      folder === undefined ? [] : [folder],
      {
        serialization: 'advanced',
        // A separate process group: Ctrl-C is for the server, which lets running answers finish first.
        detached: true,
        // Without this, the ONNX runtime reports usage to its vendor and keeps unsent data in the home folder.
        env: { ORT_DISABLE_TELEMETRY: '1' },
        execArgv: ['--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    )
    const activity = new ProcessActivity(child.pid)
    const watch = new InferenceWatch(
      folder === undefined ? PATIENCE_WITH_BUILT_IN : PATIENCE_WITH_FOLDER,
      {
        hasWork: () => this.#waiting.size > 0,
        ping: () => this.#tell(child, 'ping'),
        giveUpQuestions: () => this.#giveUpQuestions(),
        // The exit event fails the waiting tasks.
        end: () => child.kill('SIGKILL'),
        hasMoved: () => activity.hasMoved(),
      },
    )
    this.#watch = watch
    child.on('message', (said: InferenceReply | InferenceSign) => {
      const isSign = typeof said === 'string'
      watch.heard(said === 'loading' || said === 'ready' ? said : undefined)
      if (!isSign) this.#hear(said)
    })
    child.on('error', (error) => this.#lose(child, error))
    child.on('exit', () => {
      watch.stop()
      this.#lose(child, new ProcessLost('The inference process ended'))
    })
    return child
  }

  #giveUpQuestions(): void {
    for (const [id, { isForQuestion, reject }] of this.#waiting) {
      if (!isForQuestion) continue
      this.#waiting.delete(id)
      reject(silent())
    }
  }

  /** Ignores a failure to send, because the error or exit event of the process says more. */
  #tell(child: ChildProcess, request: InferenceRequest): void {
    if (child.connected) child.send(request, () => {})
  }

  #hear(reply: InferenceReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if ('error' in reply)
      waiting?.reject(Object.assign(new Error(reply.error), { code: reply.code }))
    else waiting?.resolve(reply.result as never)
  }

  /** The next request starts another process. */
  #lose(child: ChildProcess, error: unknown): void {
    if (child === this.#child) this.#fail(error)
  }

  #fail(error: unknown): void {
    this.#watch?.stop()
    this.#watch = undefined
    this.#child = undefined
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

function isForQuestion(task: InferenceTask): boolean {
  return task.kind === 'read' || task.isQuestion
}

function silent(): Error {
  return new Error('The inference process does not respond')
}
