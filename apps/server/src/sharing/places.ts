import type { LimitName } from '@docent/contract/failures/error-codes.ts'
import { AppError } from '../errors.ts'

const SHARE_ALONE = 0.9
const SHARE_AMONG_OTHERS = 0.5
/** A refused owner is likely to retry within this time, so the others still leave room. */
const REFUSED_LATELY_MS = 10_000

export interface PlacesOptions {
  limit: LimitName
  most: number
  /** Error message that says what to do. */
  refusal: string
}

/**
 * A fixed number of places that owners share: waiting answers, running uploads. A single owner may take nine tenths of
 * them. While another owner holds a place or was refused lately, each owner gets at most half.
 */
export class Places {
  readonly #options: PlacesOptions
  readonly #held = new Map<string, number>()
  readonly #refusedAt = new Map<string, number>()
  #taken = 0

  constructor(options: PlacesOptions) {
    this.#options = options
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
  take(owner: string, now = performance.now()): () => void {
    const held = this.heldBy(owner)
    const isFull = this.#taken >= this.#options.most
    if (isFull || held >= this.shareOf(owner, now)) {
      this.#refusedAt.delete(owner)
      this.#refusedAt.set(owner, now)
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
  shareOf(owner: string, now = performance.now()): number {
    const share = this.#hasOthers(owner, now) ? SHARE_AMONG_OTHERS : SHARE_ALONE
    return Math.max(1, Math.floor(this.#options.most * share))
  }

  #hasOthers(owner: string, now: number): boolean {
    this.#forgetRefusals(now)
    const isAnother = (other: string) => other !== owner
    return this.#held.keys().some(isAnother) || this.#refusedAt.keys().some(isAnother)
  }

  /** The map is in order of refusal, oldest first. */
  #forgetRefusals(now: number): void {
    for (const [owner, at] of this.#refusedAt) {
      if (now - at < REFUSED_LATELY_MS) return
      this.#refusedAt.delete(owner)
    }
  }

  #giveBack(owner: string): void {
    const held = this.heldBy(owner)
    if (held > 1) this.#held.set(owner, held - 1)
    else this.#held.delete(owner)
    this.#taken -= 1
  }
}
