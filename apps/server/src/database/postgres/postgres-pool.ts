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
  /** Once aborted, the pool cuts every connection and opens no more. */
  givingUp?: AbortSignal | undefined
}

// Requests wait this long for an unreachable server, then fail with 503.
const PATIENCE_MS = 5_000
const CONNECT_MS = 5_000
// The server ends a statement in time. If no reply arrives this much later, the network is down.
const ANSWER_MS = 5_000
const KEEP_ALIVE_MS = 10_000
const IDLE_MS = 60_000
const MAX_CONFLICTS = 8
const INT8 = 20
const NUMERIC = 1700
const BYTEA = 17

/** A connection pool that retries after failures. */
export class PostgresPool {
  /** A connection without a reply for this long is treated as lost. 0: never. */
  readonly silentMs: number
  /** Timeouts of each transaction and each single statement. */
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
    // The caller of a query sees the error of a lost connection. The pool replaces idle connections when needed.
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
   * Runs work on a connection. Retries failures before anything was sent, and conflicts that the server rolled back.
   * After a lost connection, only repeatable work is retried.
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
        // This machine may be out of file descriptors or sockets.
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
  // A socket that is destroyed before it starts to connect connects anyway, so wait one turn.
  if (givingUp?.aborted) setImmediate(cut)
  givingUp?.addEventListener('abort', cut, { once: true })
  way.once('close', () => givingUp?.removeEventListener('abort', cut))
  return way
}

function pause(tries: number): Promise<void> {
  return sleep(Math.min(500, 10 * 2 ** tries) * (0.5 + Math.random()))
}

/** Our 64-bit columns hold milliseconds and counts, which fit into a number. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  if (oid === BYTEA) return toBytes
  return types.getTypeParser(oid, format as 'text')
}

/** Copies into a buffer of its own, which can be transferred to another thread. Small Buffers share a pool. */
function toBytes(digits: string): Uint8Array {
  const bytes = new Uint8Array((digits.length - 2) / 2)
  Buffer.from(bytes.buffer).write(digits.slice(2), 'hex')
  return bytes
}
