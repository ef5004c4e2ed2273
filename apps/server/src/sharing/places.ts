import type { LimitName } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../errors.ts'

const SHARE_ALONE = 0.9
const SHARE_AMONG_OTHERS = 0.5
/** An owner who was here within this time is likely to come back, so the others leave room. */
const LATELY_MS = 10_000

export interface PlacesOptions {
  limit: LimitName
  most: number
  /** Error message that says what to do. */
  refusal: string
}

/**
 * A fixed number of places that owners share: waiting answers, running uploads. A single owner may take nine tenths of
 * them. While another owner holds a place, or held or wanted one lately, each owner gets at most half.
 */
export class Places {
  readonly #options: PlacesOptions
  readonly #held = new Map<string, number>()
  /** When each owner was last refused or gave back its last place, oldest first. */
  readonly #leftAt = new Map<string, number>()
  readonly #now: () => number
  #taken = 0

  constructor(options: PlacesOptions, now = () => performance.now()) {
    this.#options = options
    this.#now = now
  }

  get most(): number {
    return this.#options.most
  }

  /** Places that all owners hold together. */
  get taken(): number {
    return this.#taken
  }

  heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0
  }

  /** Takes a place, or throws 503 at once. The returned function gives the place back. A second call does nothing. */
  take(owner: string): () => void {
    const held = this.heldBy(owner)
    const isFull = this.#taken >= this.#options.most
    if (isFull || held >= this.shareOf(owner)) {
      this.#noteLeft(owner)
      throw new AppError('unavailable', this.#options.refusal, {
        limit: this.#options.limit,
        headers: { 'retry-after': '2' },
      })
    }
    this.#held.set(owner, held + 1)
    this.#taken += 1
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#giveBack(owner)
    }
  }

  /** How many places the owner may hold now. */
  shareOf(owner: string): number {
    const share = this.#hasOthers(owner) ? SHARE_AMONG_OTHERS : SHARE_ALONE
    return Math.max(1, Math.floor(this.#options.most * share))
  }

  #hasOthers(owner: string): boolean {
    this.#forgetLongAgo()
    const isAnother = (other: string) => other !== owner
    return this.#held.keys().some(isAnother) || this.#leftAt.keys().some(isAnother)
  }

  #noteLeft(owner: string): void {
    this.#leftAt.delete(owner)
    this.#leftAt.set(owner, this.#now())
  }

  #forgetLongAgo(): void {
    const now = this.#now()
    for (const [owner, at] of this.#leftAt) {
      if (now - at < LATELY_MS) return
      this.#leftAt.delete(owner)
    }
  }

  #giveBack(owner: string): void {
    const held = this.heldBy(owner)
    if (held > 1) this.#held.set(owner, held - 1)
    else {
      this.#held.delete(owner)
      this.#noteLeft(owner)
    }
    this.#taken -= 1
  }
}
