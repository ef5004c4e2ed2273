import type { Database } from '../database/database.ts'
import type { Source } from '../features/sources/sources.store.ts'
import { claimSource, isSuspect } from './claim-source.ts'
import type { Share } from './next-source.ts'

// One place for files and pairs, and one for newcomers.
const KEPT_PLACES = 2

/**
 * Coordinates the workers of one process. Sources that were in work when a server died are suspects, and are read one
 * at a time. So only the source that crashes the server is given up. The newcomers' place stays free while another
 * place is free, so that a newcomer never waits for all others. An owner gets at most half of the places while other
 * owners' sources are due. Each node keeps this rule, so all nodes together keep it.
 */
export class SourceTurns {
  #looking: Promise<unknown> = Promise.resolve()
  /** The claim of the suspect being read. */
  #suspect: string | null = null
  #free: number
  readonly #half: number
  /** How many places each owner holds. */
  readonly #held = new Map<string, number>()

  /** `places` excludes the reserved places. */
  constructor(places: number) {
    this.#free = places
    this.#half = Math.floor((places + KEPT_PLACES) / 2)
  }

  /** One claim at a time: two parallel claims could each take a suspect. */
  take(db: Database, only: Share | undefined): Promise<Source | undefined> {
    const taken = this.#looking.then(() => this.#take(db, only))
    this.#looking = taken.catch(() => {})
    return taken
  }

  async #take(db: Database, only: Share | undefined): Promise<Source | undefined> {
    if (only === 'newcomers' && this.#free > 0) return undefined
    const atHalf = [...this.#held].filter(([, held]) => held >= this.#half).map(([id]) => id)
    const source = await claimSource(db, { suspects: this.#suspect === null, only, atHalf })
    // A source that only failed before can't be told from a suspect here. It must not replace the current suspect.
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
