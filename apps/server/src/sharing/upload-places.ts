import { AppError } from '../errors.ts'
import { Places } from './places.ts'

export interface UploadLimits {
  inAll: number
  perToken: number
  /**
   * Uploads of one owner that may wait for a place, and for how long. The server does not read their bodies meanwhile.
   */
  waiting: number
  waitMs: number
}

export const UPLOAD_LIMITS: UploadLimits = { inAll: 12, perToken: 3, waiting: 50, waitMs: 5_000 }

export interface Uploader {
  userId: string
  tokenId: string
}

interface Waiting {
  owner: string
  /** Returns whether it got a place. */
  tryAgain(): boolean
}

/**
 * Places for running uploads: a few for each token, and a share of all places for each owner. A short wait lets a
 * client send a batch of small files at once. After that, the upload is rejected before its body is read.
 */
export class UploadPlaces {
  readonly #limits: UploadLimits
  readonly #places: Places
  readonly #heldByToken = new Map<string, number>()
  /** First come, first served. */
  readonly #waiting = new Set<Waiting>()

  constructor(limits: UploadLimits) {
    this.#limits = limits
    this.#places = new Places({
      limit: 'uploads',
      most: limits.inAll,
      refusal: 'Too many uploads are running. Try again in a moment.',
    })
  }

  get taken(): number {
    return this.#places.taken
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /** The returned function gives the place back. */
  async take(uploader: Uploader, signal: AbortSignal): Promise<() => void> {
    try {
      return this.#takeNow(uploader)
    } catch (refusal) {
      return this.#wait(uploader, refusal, signal)
    }
  }

  #takeNow({ userId, tokenId }: Uploader): () => void {
    const held = this.#heldByToken.get(tokenId) ?? 0
    if (held >= this.#limits.perToken) throw tooManyOfToken(this.#limits.perToken)
    const giveBack = this.#places.take(userId)
    this.#heldByToken.set(tokenId, held + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = this.#heldByToken.get(tokenId)! - 1
      if (left > 0) this.#heldByToken.set(tokenId, left)
      else this.#heldByToken.delete(tokenId)
      giveBack()
      for (const one of this.#waiting) if (one.tryAgain()) this.#waiting.delete(one)
    }
  }

  #wait(uploader: Uploader, refusal: unknown, signal: AbortSignal): Promise<() => void> {
    const owner = uploader.userId
    const before = this.#waiting.values().filter((one) => one.owner === owner)
    if (before.toArray().length >= this.#limits.waiting) throw refusal
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(one)
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        reject(refusal)
      }
      const tryAgain = () => {
        try {
          resolve(this.#takeNow(uploader))
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
          return true
        } catch (error) {
          if (error instanceof AppError) return false
          throw error
        }
      }
      const one = { owner, tryAgain }
      const timer = setTimeout(leave, this.#limits.waitMs)
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(one)
    })
  }
}

function tooManyOfToken(most: number): AppError {
  return new AppError(
    'rate_limited',
    `A token can upload ${most} files at the same time. Wait for one to finish.`,
    {
      limit: 'uploads',
      headers: { 'retry-after': '2' },
    },
  )
}
