import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient, types } from 'pg'
import { storageFailure } from '../storage-fault.ts'
import {
  isAway,
  isConflict,
  isConnectionLost,
  isStalePlan,
  unavailable,
} from './postgres-errors.ts'
import { type Limits, prepareLimits, takeLimits } from './statement-limits.ts'

export interface PoolSettings {
  url: string
  size: number
  limits: Limits
  /** From then on nothing is waited for: every connection is cut, and no other is made. */
  givingUp?: AbortSignal | undefined
}

// While the server is away for a moment, requests wait for it; longer, and they are told to come again.
const PATIENCE_MS = 5_000
const CONNECT_MS = 5_000
// The server ends a statement in time. When no word of that arrives, it is the way there and back that is cut.
const ANSWER_MS = 5_000
const KEEP_ALIVE_MS = 10_000
const IDLE_MS = 60_000
const MAX_CONFLICTS = 8
const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** Connections to the server, and what is done again when one fails. */
export class PostgresPool {
  /** After so long without an answer a connection is taken for lost; 0: never. */
  readonly silentMs: number
  /** What holds in each transaction, and for each statement outside of one. */
  readonly limits: Limits
  readonly #pool: Pool
  readonly #givingUp: AbortSignal | undefined

  constructor({ url: address, size, limits: usual, givingUp }: PoolSettings) {
    this.#givingUp = givingUp
    const { url, limits } = takeLimits(address, usual)
    this.limits = limits
    this.silentMs = limits.statementMs > 0 ? limits.statementMs + ANSWER_MS : 0
    this.#pool = new Pool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      query_timeout: this.silentMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      application_name: 'docent',
      // The statements of a unit travel together.
      pipeline: true,
      types: { getTypeParser },
      stream: () => openWay(givingUp),
    } as ConstructorParameters<typeof Pool>[0])
    // Whoever uses a connection that is lost hears of it; one that nobody uses is replaced when it is needed.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      if (this.hasLimits) prepareLimits(client, limits)
    })
  }

  get hasLimits(): boolean {
    return this.limits.statementMs > 0 || this.limits.lockMs > 0
  }

  /**
   * Runs something on a connection. What failed before anything was sent is tried again, and so is what the server
   * sent back because of somebody else; after a lost connection only what may run twice.
   */
  async use<T>(
    work: (client: PoolClient) => Promise<T>,
    { mayRepeat }: { mayRepeat: boolean },
  ): Promise<T> {
    const until = performance.now() + PATIENCE_MS
    for (let tries = 1, conflicts = 0; ; tries += 1) {
      const client = await this.connect(until)
      let broken = true
      try {
        const result = await work(client)
        broken = false
        return result
      } catch (error) {
        const isLost = isConnectionLost(error)
        broken = isLost || isStalePlan(error)
        if (isConflict(error) && conflicts++ < MAX_CONFLICTS) await pause(conflicts)
        else if (isStalePlan(error) && tries < MAX_CONFLICTS) continue
        else if (!isLost) throw error
        else if (!mayRepeat || performance.now() > until) throw unavailable(error)
        else await pause(tries)
      } finally {
        client.release(broken)
      }
    }
  }

  async connect(until = performance.now() + PATIENCE_MS): Promise<PoolClient> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        // It may be this machine that can open no more connections.
        if (!isAway(error)) throw storageFailure(error) ?? unavailable(error)
        if (performance.now() > until || this.#givingUp?.aborted) throw unavailable(error)
        await pause(tries)
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

function openWay(givingUp: AbortSignal | undefined): Socket {
  const way = new Socket()
  const cut = () => way.destroy()
  // Not before it is under way: one that is destroyed earlier connects all the same.
  if (givingUp?.aborted) setImmediate(cut)
  givingUp?.addEventListener('abort', cut, { once: true })
  way.once('close', () => givingUp?.removeEventListener('abort', cut))
  return way
}

function pause(tries: number): Promise<void> {
  return sleep(Math.min(500, 10 * 2 ** tries) * (0.5 + Math.random()))
}

/** Milliseconds and counts fit into a number. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  if (oid === BYTEA) return toBytes
  return types.getTypeParser(oid, format as 'text')
}

/** In memory of their own, which can be handed over to another thread; a small Buffer shares its memory. */
function toBytes(digits: string): Uint8Array {
  const bytes = new Uint8Array((digits.length - 2) / 2)
  Buffer.from(bytes.buffer).write(digits.slice(2), 'hex')
  return bytes
}
