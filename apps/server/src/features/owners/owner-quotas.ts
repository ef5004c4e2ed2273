import { setTimeout as sleep } from 'node:timers/promises'
import type { Analytics } from '../../database/analytics.ts'
import { AppError } from '../../errors.ts'
import { measureUse, type OwnerUse, rowsOf } from './owner-use.store.ts'

export interface OwnerQuota {
  rows: number | undefined
  bytes: number | undefined
}

export interface Amount {
  rows: number
  bytes: number
}

interface Measured {
  use: OwnerUse
  /** The measurement's time, and when the next one may begin: scans take at most a tenth of the time. */
  at: number
  againAt: number
  /** Added by requests since the measurement. */
  added: Amount
}

/** Active owners are measured this often. Answers and the texts of sources are counted only then. */
const MEASURE_EVERY_MS = 60_000
const AT_MOST_EVERY_MS = 1_000
/** A request waits at most this long for a measurement. After that, the last known use decides. */
const PATIENCE_MS = 2_000
const SHARE_OF_TIME = 10
const MOST_OWNERS = 10_000
const NOTHING: OwnerUse = { chatbots: 0, sources: 0, sessions: 0, messages: 0, bytes: 0 }
/** Several requests share a measurement, so it goes on when one of them leaves. */
const NEVER = new AbortController().signal

/**
 * Limits how much each owner may store. The use is the last measurement plus what requests added since. It may miss
 * what answers, pages and other nodes added in the last minute.
 */
export class OwnerQuotas {
  readonly #analytics: Analytics
  readonly quota: OwnerQuota
  readonly #measured = new Map<string, Measured>()
  readonly #running = new Map<string, Promise<Measured>>()

  constructor(analytics: Analytics, quota: OwnerQuota) {
    this.#analytics = analytics
    this.quota = quota
  }

  /** Counts what a request is about to add. Throws if that exceeds the quota. */
  async claim(ownerId: string, amount: Amount): Promise<void> {
    const { rows, bytes } = this.quota
    if (rows === undefined && bytes === undefined) return
    let known = this.#measured.get(ownerId)
    if (!known) known = await this.#measureSoon(ownerId)
    else if (performance.now() - known.at >= MEASURE_EVERY_MS) this.#inBackground(ownerId)
    if (!known) return
    if (this.#refusal(known, amount) && performance.now() >= known.againAt) {
      // The owner may have deleted something.
      known = (await this.#measureSoon(ownerId)) ?? known
    }
    const refusal = this.#refusal(known, amount)
    if (refusal) throw refusal
    known.added.rows += amount.rows
    known.added.bytes += amount.bytes
  }

  /** For display. Measures again if the last measurement is not recent. */
  async useOf(ownerId: string): Promise<OwnerUse> {
    const known = this.#measured.get(ownerId)
    if (known && performance.now() < known.againAt) return known.use
    return (await this.#measure(ownerId)).use
  }

  #refusal({ use, added }: Measured, amount: Amount): AppError | undefined {
    const { rows, bytes } = this.quota
    if (rows !== undefined && amount.rows > 0 && rowsOf(use) + added.rows + amount.rows > rows)
      return reached('owner_rows', `${rows} rows (chatbots, sources, sessions and messages)`)
    if (bytes !== undefined && use.bytes + added.bytes + amount.bytes > bytes)
      return reached('owner_bytes', `${Math.floor(bytes / 1024 ** 2)} MB`)
    return undefined
  }

  async #measureSoon(ownerId: string): Promise<Measured | undefined> {
    const late = new AbortController()
    try {
      return await Promise.race([
        this.#measure(ownerId),
        sleep(PATIENCE_MS, undefined, { signal: late.signal, ref: false }),
      ])
    } finally {
      late.abort()
    }
  }

  #inBackground(ownerId: string): void {
    // The next request that needs a measurement reports the failure.
    this.#measure(ownerId).catch(() => {})
  }

  #measure(ownerId: string): Promise<Measured> {
    let running = this.#running.get(ownerId)
    if (!running) {
      running = this.#measureNow(ownerId).finally(() => this.#running.delete(ownerId))
      this.#running.set(ownerId, running)
    }
    return running
  }

  async #measureNow(ownerId: string): Promise<Measured> {
    const at = performance.now()
    const before = this.#measured.get(ownerId)
    const counted = { ...before?.added }
    // A separate queue, so that the owner's reports do not delay the owner's uploads.
    const measuring = this.#analytics.run(`use of ${ownerId}`, NEVER, (db) =>
      measureUse(db, ownerId),
    )
    const use = await measuring.catch((error) => {
      // Remembered, so that the next requests do not retry at once.
      this.#remember(ownerId, at, { use: NOTHING, added: { rows: 0, bytes: 0 }, ...before })
      throw error
    })
    const added = {
      rows: (before?.added.rows ?? 0) - (counted.rows ?? 0),
      bytes: (before?.added.bytes ?? 0) - (counted.bytes ?? 0),
    }
    return this.#remember(ownerId, at, { use, added })
  }

  #remember(
    ownerId: string,
    at: number,
    { use, added }: Pick<Measured, 'use' | 'added'>,
  ): Measured {
    const now = performance.now()
    const againAt = now + Math.max(AT_MOST_EVERY_MS, (now - at) * SHARE_OF_TIME)
    const measured = { use, at: now, againAt, added }
    this.#measured.delete(ownerId)
    this.#measured.set(ownerId, measured)
    if (this.#measured.size > MOST_OWNERS)
      this.#measured.delete(this.#measured.keys().next().value!)
    return measured
  }
}

function reached(limit: 'owner_rows' | 'owner_bytes', quota: string): AppError {
  const sentence = `This account has reached its quota of ${quota}. Delete something to make room.`
  return new AppError('quota_reached', sentence, { limit })
}
