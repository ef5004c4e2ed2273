import { ApiError } from '@docent/client/http/errors.ts'
import { upload } from './client.ts'
import { hasFailed, type Source } from './records.ts'

export interface Upload {
  id: number
  file: File
  /** From 0 to 1. Undefined while the upload waits. */
  share: number | undefined
  error: unknown
}

export interface Uploads {
  /** Uploads that wait, run or have failed. */
  open: readonly Upload[]
  done: number
  /** Files that seem to exist already. They wait until the user decides. */
  doubles: readonly File[]
}

/** More parallel uploads would only slow each other down. */
const AT_A_TIME = 3
const NONE: Uploads = { open: [], done: 0, doubles: [] }
// Too large, unsupported or empty: the same file fails every time.
const FOR_GOOD = [413, 415, 422]

export function isForGood(error: unknown): boolean {
  return error instanceof ApiError && FOR_GOOD.includes(error.status)
}

const isSame = (file: File, name: string, size: number) => file.name === name && file.size === size

/** The uploads of one chatbot. They continue when the user leaves the page. */
export class UploadQueue {
  readonly #send: (
    file: File,
    onProgress: (share: number) => void,
    signal: AbortSignal,
  ) => Promise<unknown>
  readonly #onArrived: () => void
  readonly #listeners = new Set<() => void>()
  readonly #aborts = new Map<number, AbortController>()
  readonly #ask = (event: Event) => event.preventDefault()
  #state = NONE
  #lastId = 0

  constructor(chatbot: string, onArrived: () => void) {
    this.#send = (file, onProgress, signal) => upload(chatbot, file, onProgress, signal)
    this.#onArrived = onArrived
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): Uploads => this.#state

  /** Adds new files, and asks about files that exist already or are being uploaded. */
  offer(files: File[], sources: Source[]): void {
    const { open, doubles: asked } = this.#state
    const read = sources.filter((source) => source.type === 'upload' && !hasFailed(source))
    const underWay = open.filter(({ error }) => error === undefined)
    const isThere = (file: File) =>
      read.some(({ file_name, file_size }) => isSame(file, file_name, file_size)) ||
      underWay.some((one) => isSame(file, one.file.name, one.file.size))
    const doubles = files.filter(
      (file) => isThere(file) && !asked.some(({ name, size }) => isSame(file, name, size)),
    )
    this.#change({ doubles: [...asked, ...doubles] })
    this.add(files.filter((file) => !isThere(file)))
  }

  addDoubles(): void {
    const { doubles } = this.#state
    this.dropDoubles()
    this.add(doubles)
  }

  dropDoubles(): void {
    this.#change({ doubles: [] })
  }

  add(files: readonly File[]): void {
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

  /** Removes an upload from the list and aborts it if it runs. */
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
      // The count starts over when the list is empty.
      this.#change({ open, done: open.length === 0 ? 0 : this.#state.done + 1 })
      this.#onArrived()
    } catch (error) {
      this.#edit(id, { error })
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
    // Warn before closing the tab, on any page, while uploads run.
    const isSending = this.#state.open.some(({ error }) => error === undefined)
    if (isSending) addEventListener('beforeunload', this.#ask)
    else removeEventListener('beforeunload', this.#ask)
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
