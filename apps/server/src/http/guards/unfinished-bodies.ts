import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../features/tokens/tokens.store.ts'
import type { Metrics } from '../../metrics.ts'
import { networkOf } from './limit-requests.ts'

export interface BodyLimits {
  /** A body that brings less than `leastBytes` in `withinMs` has stalled. */
  leastBytes: number
  withinMs: number
  /** The same after the response: the rest of the body is only read so that the client sees the response. */
  withinMsAfterAnswer: number
  /** Unfinished bodies from one owner or one network address. */
  perSender: number
  /** The same for all owners together, and for all other callers together. */
  inAll: number
  checkEveryMs: number
}

export const BODY_LIMITS: BodyLimits = {
  leastBytes: 64 * 1024,
  withinMs: 30_000,
  withinMsAfterAnswer: 5_000,
  perSender: 20,
  inAll: 200,
  checkEveryMs: 1_000,
}

/** Rejecting a body takes a tenth of a millisecond. Other requests run between two batches. */
const REFUSED_A_TURN = 50

/**
 * Limits requests whose body has not fully arrived, on any route. One timer checks them all, and runs only while there
 * are any. It cuts off bodies that stall, and bodies beyond the limits.
 */
export function boundUnfinishedBodies(
  app: FastifyInstance,
  { bodyLimits, metrics }: { bodyLimits: BodyLimits; metrics: Metrics },
) {
  const bodies = new Map<IncomingMessage, UnfinishedBody>()
  let timer: NodeJS.Timeout | undefined

  metrics.watch('docent_unfinished_bodies', () => {
    return bodies.keys().reduce((sum, raw) => sum + (isUnfinished(raw) ? 1 : 0), 0)
  })

  const refuse = (refused: [UnfinishedBody, AppError][]) => {
    for (const [body, reason] of refused.splice(0, REFUSED_A_TURN)) body.cutOff(reason)
    if (refused.length > 0) setImmediate(() => refuse(refused))
  }

  const check = () => {
    const refused: [UnfinishedBody, AppError][] = []
    const strangers = new SenderCounts(bodyLimits)
    const owners = new SenderCounts(bodyLimits)
    for (const [raw, body] of bodies) {
      if (!isUnfinished(raw)) {
        bodies.delete(raw)
        continue
      }
      const isStalled = body.hasStalled(bodyLimits)
      const { isOwner, name } = body.sender
      // Upload places limit waiting uploads, which are not read meanwhile.
      const counts = isOwner ? owners : strangers
      const isOneTooMany = (body.isRead || !isOwner) && !counts.admits(name)
      if (!isStalled && !isOneTooMany) continue
      bodies.delete(raw)
      refused.push([body, isStalled ? stalled(bodyLimits) : tooMany()])
    }
    refuse(refused)
    if (bodies.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    // Node emits a request before its body, even if both came in one packet. Only the next check can tell.
    if (hasBody(raw)) {
      bodies.set(raw, new UnfinishedBody(request, reply))
      timer ??= setInterval(check, bodyLimits.checkEveryMs).unref()
    }
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const body = bodies.get(request.raw)
    if (body && isUnfinished(request.raw)) body.discardRest()
    else if (body) bodies.delete(request.raw)
    done()
  })
  app.addHook('onClose', () => clearInterval(timer))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function isUnfinished(raw: IncomingMessage): boolean {
  return !raw.complete && !raw.destroyed
}

class UnfinishedBody {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  /** Bytes on the connection when the current window began. */
  #before: number
  /** How long the server has been ready to read in this window. */
  #waitedMs = 0
  #isAnswered = false

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
    this.#before = request.raw.socket.bytesRead
  }

  get sender(): { isOwner: boolean; name: string } {
    const { caller } = this.#request as { caller?: Caller | null }
    if (caller) return { isOwner: true, name: caller.userId }
    return { isOwner: false, name: networkOf(this.#request.ip) }
  }

  /** The client cannot send while the server does not read: the disk is slow, or no place is free. */
  get isRead(): boolean {
    return this.#request.raw.readableFlowing === true
  }

  /** Called once every `checkEveryMs`. */
  hasStalled(limits: BodyLimits): boolean {
    const { socket } = this.#request.raw
    if (socket.bytesRead - this.#before >= limits.leastBytes) {
      this.#before = socket.bytesRead
      this.#waitedMs = 0
      return false
    }
    if (this.isRead) this.#waitedMs += limits.checkEveryMs
    return this.#waitedMs >= (this.#isAnswered ? limits.withinMsAfterAnswer : limits.withinMs)
  }

  /** Reads on, so that a client that sends before it listens gets its response instead of a broken connection. */
  discardRest(): void {
    this.#isAnswered = true
    this.#waitedMs = 0
    this.#request.raw.resume()
  }

  cutOff(reason: AppError): void {
    const { raw } = this.#request
    if (!isUnfinished(raw)) return
    if (this.#isAnswered || this.#reply.sent) {
      raw.socket.destroy()
      return
    }
    // Code that still waits for the body must learn that it ends: after a response, Node reports nothing.
    this.#reply.raw.once('close', () => raw.destroy(reason))
    this.#reply.header('connection', 'close').send(reason)
  }
}

/** Counts the unfinished bodies of each sender. */
class SenderCounts {
  readonly #limits: BodyLimits
  readonly #counts = new Map<string, number>()
  #all = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** The earliest bodies stay. */
  admits(sender: string): boolean {
    const count = this.#counts.get(sender) ?? 0
    if (count >= this.#limits.perSender || this.#all >= this.#limits.inAll) return false
    this.#counts.set(sender, count + 1)
    this.#all += 1
    return true
  }
}

function stalled({ leastBytes, withinMs }: BodyLimits): AppError {
  const rate = `${leastBytes / 1024} kB in ${withinMs / 1000} seconds`
  return new AppError('timeout', `The body arrives too slowly. Send at least ${rate}.`, {
    limit: 'stalled_body',
  })
}

function tooMany(): AppError {
  return new AppError(
    'unavailable',
    'Too many requests from this network are still sending their bodies. Try again in a moment.',
    { limit: 'unfinished_bodies', headers: { 'retry-after': '5' } },
  )
}
