import type { FastifyReply } from 'fastify'

const LAST_BYTES_MS = 5_000
/** How long somebody whose token is revoked may go on reading. */
const CHECK_CALLER_MS = 5_000

const SLICE_BYTES = 65_536

/**
 * The connection of one reader: written to directly, since Fastify's own sending costs more than half of a stream's
 * throughput. It may be slow, and it may go away.
 */
export class RawStream {
  readonly #reply: FastifyReply
  started = false
  gone = false
  #watch: NodeJS.Timeout | undefined

  constructor(reply: FastifyReply, onGone = () => {}) {
    this.#reply = reply
    // Whoever has left before, as while his question was being stored, is not told of by an event any more.
    this.gone = reply.raw.destroyed
    reply.raw.once('close', () => {
      this.gone = true
      clearInterval(this.#watch)
      onGone()
    })
  }

  open(headers: Record<string, string>): void {
    if (this.started) return
    this.started = true
    this.#reply.hijack()
    this.#reply.raw.writeHead(200, {
      ...(this.#reply.getHeaders() as Record<string, string>),
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    })
    if (!this.gone && this.#reply.request.isStillAllowed)
      this.#watch = setInterval(() => void this.#cutIfRevoked(), CHECK_CALLER_MS)
  }

  async #cutIfRevoked(): Promise<void> {
    if ((await this.#reply.request.isStillAllowed?.()) === false) this.cut()
  }

  /** Comes back when the connection can take more. */
  async write(data: string | Uint8Array): Promise<void> {
    const { raw } = this.#reply
    // Nothing would ever come back from a connection that is closed.
    if (this.gone || raw.write(data)) return
    await new Promise<void>((resolve) => {
      const done = () => {
        raw.off('drain', done)
        raw.off('close', done)
        resolve()
      }
      raw.on('drain', done)
      raw.on('close', done)
    })
  }

  /** For readers who hold a place that others wait for: who takes less than a slice in this time is cut off. */
  async writePatiently(text: string, slicePatienceMs: number): Promise<void> {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length && !this.gone; from += SLICE_BYTES) {
      const timer = setTimeout(() => this.#reply.raw.destroy(), slicePatienceMs)
      await this.write(bytes.subarray(from, from + SLICE_BYTES))
      clearTimeout(timer)
    }
  }

  /** Whether the reader wants the headers only. */
  get isHead(): boolean {
    return this.#reply.request.method === 'HEAD'
  }

  /** A sign of life, left out where the reader is behind anyway. */
  heartbeat(data: string): void {
    const { raw } = this.#reply
    if (!raw.writableNeedDrain) raw.write(data)
  }

  end(last = ''): void {
    this.#reply.raw.end(last)
  }

  /** Ends the connection so that nobody takes what came for the whole. What was written still arrives. */
  cut(): void {
    const { socket } = this.#reply.raw
    if (!socket) return
    // In HTTP/1.0, which proxies speak, an answer has no other end than that of its connection.
    if (this.#reply.request.raw.httpVersion === '1.0')
      socket.write('', () => socket.resetAndDestroy())
    else socket.destroySoon()
    // A reader that reads no more would keep it open.
    setTimeout(() => socket.destroy(), LAST_BYTES_MS).unref()
  }
}
