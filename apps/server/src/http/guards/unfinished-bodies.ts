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
  /** The same once the request is answered: the rest of its body is only read so that the client sees the answer. */
  withinMsAfterAnswer: number
  /** Bodies on their way at the same time, from one owner or one network address. */
  perSender: number
  /** The same for all owners together, and for all callers who are not signed in. */
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

/** Refusing a body takes a tenth of a millisecond. The next ones are refused after other requests had their turn. */
const REFUSED_A_TURN = 50

/**
 * Every request whose body has not arrived whole, on any route. One timer looks at all of them, and only while there are
 * any. It cuts off bodies that stall, and those that come on top of too many others.
 */
export function boundUnfinishedBodies(
  app: FastifyInstance,
  { bodyLimits, metrics }: { bodyLimits: BodyLimits; metrics: Metrics },
) {
  const bodies = new Map<IncomingMessage, UnfinishedBody>()
  let timer: NodeJS.Timeout | undefined

  metrics.watch('docent_unfinished_bodies', 'Requests whose body is still arriving.', () => {
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
      // An upload that waits for its place is bounded there, and is not read meanwhile.
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
    // Node hands a request over before its body, even if both came in one packet: only the next look can tell.
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
  /** What its connection had brought when this stretch of time began. */
  #before: number
  /** How long the server has been willing to read since then. */
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

  /** While the server does not read, because the disk is slow or all places are taken, the client cannot send. */
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

  /** Reads on, so that a client which sends before it listens gets its answer instead of a broken connection. */
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
    // Whatever still waits for the rest of the body has to hear that it ends here: Node tells nobody after an answer.
    this.#reply.raw.once('close', () => raw.destroy(reason))
    this.#reply.header('connection', 'close').send(reason)
  }
}

/** How many bodies each sender has on its way. */
class SenderCounts {
  readonly #limits: BodyLimits
  readonly #counts = new Map<string, number>()
  #all = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** The bodies that came first stay. */
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
  return new AppError('timeout', `The body arrives too slowly: send at least ${rate}.`, {
    limit: 'stalled_body',
  })
}

function tooMany(): AppError {
  return new AppError(
    'unavailable',
    'Too many requests from here are still sending their bodies. Try again in a moment.',
    { limit: 'unfinished_bodies', headers: { 'retry-after': '5' } },
  )
}
