import type { Database } from '../database/database.ts'
import type { Source } from '../features/sources/sources.store.ts'
import { claimSource, isSuspect } from './claim-source.ts'
import type { Share } from './next-source.ts'

// One for what was given whole, and one for newcomers.
const KEPT_PLACES = 2

/**
 * What those who take sources in a process have to know of each other. Sources that were in work when a server died are
 * read one at a time from then on, so that only the one that it dies of is given up. The place that is kept for
 * newcomers is not taken while there is another, or whoever comes next would wait for all the others. While other owners'
 * sources are due, nobody has more than half of the places; each of several nodes keeps to that, and so do they together.
 */
export class SourceTurns {
  #looking: Promise<unknown> = Promise.resolve()
  /** By its claim. */
  #suspect: string | null = null
  #free: number
  readonly #half: number
  /** How many places each owner has. */
  readonly #held = new Map<string, number>()

  /** `places` are those that are kept for nobody. */
  constructor(places: number) {
    this.#free = places
    this.#half = Math.floor((places + KEPT_PLACES) / 2)
  }

  /** One looks at a time: two would find a suspect each. */
  take(db: Database, only: Share | undefined): Promise<Source | undefined> {
    const taken = this.#looking.then(() => this.#take(db, only))
    this.#looking = taken.catch(() => {})
    return taken
  }

  async #take(db: Database, only: Share | undefined): Promise<Source | undefined> {
    if (only === 'newcomers' && this.#free > 0) return undefined
    const atHalf = [...this.#held].filter(([, held]) => held >= this.#half).map(([id]) => id)
    const source = await claimSource(db, { suspects: this.#suspect === null, only, atHalf })
    // Who only failed before is not one, but can't be told from them here: it does not end another's turn.
    if (source && isSuspect(source)) this.#suspect ??= source.claim_id
    if (source && !only) this.#free--
    if (source) this.#count(source, 1)
    return source
  }

  done(source: Source, only: Share | undefined): void {
    if (source.claim_id === this.#suspect) this.#suspect = null
    if (!only) this.#free++
    this.#count(source, -1)
  }

  #count({ owner_id }: Source, change: number): void {
    const held = (this.#held.get(owner_id) ?? 0) + change
    if (held > 0) this.#held.set(owner_id, held)
    else this.#held.delete(owner_id)
  }
}
