import type { ErrorCode, LimitName } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../errors.ts'

export interface FairQueueOptions {
  atOnce: number
  /** How many running tasks one owner may have. Default: all. */
  atOncePerOwner?: number
  /** How many tasks of one owner may wait, and the error for the next one. Default: unlimited. */
  waiting?: { most: number; limit: LimitName; code: ErrorCode; refusal: string }
}

interface Owner {
  id: string
  running: number
  /** Callbacks that start the waiting tasks. */
  waiting: Set<() => void>
  /** Time spent on the owner's tasks. A new owner starts with the lowest value of all owners. */
  spentMs: number
}

/**
 * Runs tasks for owners who share a thread or a process. The owner with the least time spent so far is next, so one
 * owner's thousand tasks do not delay another's first.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #owners = new Map<string, Owner>()
  #running = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#owners.values().reduce((sum, { waiting }) => sum + waiting.size, 0)
  }

  /** Runs the task on the owner's turn. A waiting task never starts if its signal is aborted. */
  async run<T>(ownerId: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const owner = this.#join(ownerId)
    if (this.#mayStart(owner)) this.#count(owner, 1)
    else await this.#waitForTurn(owner, signal)
    const started = performance.now()
    try {
      return await task()
    } finally {
      owner.spentMs += performance.now() - started
      this.#count(owner, -1)
      this.#forgetIdle(owner)
      this.#startNext()
    }
  }

  /** A returning owner starts level with the others: unused time is not saved up. */
  #join(id: string): Owner {
    const known = this.#owners.get(id)
    if (known) return known
    const spent = this.#owners.values().map(({ spentMs }) => spentMs)
    const waiting = new Set<() => void>()
    const owner = { id, running: 0, waiting, spentMs: Math.min(...spent) }
    if (owner.spentMs === Number.POSITIVE_INFINITY) owner.spentMs = 0
    this.#owners.set(id, owner)
    return owner
  }

  #mayStart({ running }: Owner): boolean {
    const { atOnce, atOncePerOwner = atOnce } = this.#options
    return this.#running < atOnce && running < atOncePerOwner
  }

  #count(owner: Owner, change: number): void {
    owner.running += change
    this.#running += change
  }

  #waitForTurn(owner: Owner, signal: AbortSignal | undefined): Promise<void> {
    const { waiting } = this.#options
    if (waiting && owner.waiting.size >= waiting.most) {
      throw new AppError(waiting.code, waiting.refusal, {
        limit: waiting.limit,
        headers: { 'retry-after': '2' },
      })
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        owner.waiting.delete(start)
        this.#forgetIdle(owner)
        reject(signal?.reason)
      }
      owner.waiting.add(start)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  #forgetIdle(owner: Owner): void {
    if (owner.running === 0 && owner.waiting.size === 0) this.#owners.delete(owner.id)
  }

  #startNext(): void {
    let next: Owner | undefined
    for (const owner of this.#owners.values()) {
      if (owner.waiting.size === 0 || !this.#mayStart(owner)) continue
      if (!next || owner.spentMs < next.spentMs) next = owner
    }
    if (!next) return
    const [start] = next.waiting
    next.waiting.delete(start!)
    this.#count(next, 1)
    start!()
  }
}
