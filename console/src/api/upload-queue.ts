import { RequestError } from '@docent/widget/chat/chat-api.ts'
import { upload } from './client.ts'

export interface Upload {
  id: number
  file: File
  /** From 0 to 1; none while it waits for its turn. */
  share: number | undefined
  /** Why it failed; empty when the server could not be reached. */
  error: string | undefined
}

export interface Uploads {
  /** Those that are not done: waiting, under way or failed. */
  open: readonly Upload[]
  done: number
}

/** More at a time would only make each of them slower. */
const AT_A_TIME = 3
const NONE: Uploads = { open: [], done: 0 }

/** The files on their way to one chatbot. They go on when their page is left. */
export class UploadQueue {
  readonly #send: (
    file: File,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ) => Promise<unknown>
  readonly #onArrived: () => void
  readonly #listeners = new Set<() => void>()
  readonly #aborts = new Map<number, AbortController>()
  #state = NONE
  #lastId = 0

  constructor(chatbot: string, onArrived: () => void) {
    this.#send = (file, onProgress, signal) =>
      upload(`/chatbot/${chatbot}/data-source/upload`, file, onProgress, signal)
    this.#onArrived = onArrived
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): Uploads => this.#state

  add(files: File[]): void {
    const added = files.map((file): Upload => {
      this.#lastId += 1
      return { id: this.#lastId, file, share: undefined, error: undefined }
    })
    this.#change({ open: [...this.#state.open, ...added] })
    this.#next()
  }

  retry(id: number): void {
    this.#edit(id, { share: undefined, error: undefined })
    this.#next()
  }

  /** Takes it off the list; one that is under way stops. */
  remove(id: number): void {
    this.#aborts.get(id)?.abort()
    const open = this.#state.open.filter((one) => one.id !== id)
    this.#change({ open, ...(open.length === 0 && { done: 0 }) })
  }

  #next(): void {
    while (this.#aborts.size < AT_A_TIME) {
      const waiting = this.#state.open.find(
        ({ id, share, error }) =>
          share === undefined && error === undefined && !this.#aborts.has(id),
      )
      if (!waiting) return
      void this.#run(waiting)
    }
  }

  async #run({ id, file }: Upload): Promise<void> {
    const abort = new AbortController()
    this.#aborts.set(id, abort)
    this.#edit(id, { share: 0 })
    try {
      await this.#send(file, (share) => this.#edit(id, { share }), abort.signal)
      const open = this.#state.open.filter((one) => one.id !== id)
      // With the last one the count begins anew.
      this.#change({ open, done: open.length === 0 ? 0 : this.#state.done + 1 })
      this.#onArrived()
    } catch (error) {
      this.#edit(id, { error: error instanceof RequestError ? error.message : '' })
    } finally {
      this.#aborts.delete(id)
      this.#next()
    }
  }

  #edit(id: number, change: Partial<Upload>): void {
    this.#change({
      open: this.#state.open.map((one) => (one.id === id ? { ...one, ...change } : one)),
    })
  }

  #change(change: Partial<Uploads>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const queues = new Map<string, UploadQueue>()

export function uploadQueueOf(chatbot: string, onArrived: () => void): UploadQueue {
  let queue = queues.get(chatbot)
  if (!queue) {
    queue = new UploadQueue(chatbot, onArrived)
    queues.set(chatbot, queue)
  }
  return queue
}
