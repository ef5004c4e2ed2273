import type { FastifyReply } from 'fastify'

const LAST_BYTES_MS = 5_000
/** How long a caller may go on reading after the token is revoked. */
const CHECK_CALLER_MS = 5_000

const SLICE_BYTES = 65_536

/**
 * The connection of a reader, which may be slow or go away. It is written to directly, since Fastify's own sending
 * costs more than half of a stream's throughput.
 */
export class RawStream {
  readonly #reply: FastifyReply
  started = false
  gone = false
  #watch: NodeJS.Timeout | undefined

  constructor(reply: FastifyReply, onGone = () => {}) {
    this.#reply = reply
    // No event reports a client that left earlier, for example while its question was being stored.
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

  /** Resolves when the connection can take more. */
  async write(data: string | Uint8Array): Promise<void> {
    const { raw } = this.#reply
    // A closed connection emits no more events.
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

  /** For readers that keep others waiting: cuts off readers that take less than a slice in this time. */
  async writePatiently(text: string, slicePatienceMs: number): Promise<void> {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length && !this.gone; from += SLICE_BYTES) {
      const timer = setTimeout(() => this.#reply.raw.destroy(), slicePatienceMs)
      await this.write(bytes.subarray(from, from + SLICE_BYTES))
      clearTimeout(timer)
    }
  }

  get isHead(): boolean {
    return this.#reply.request.method === 'HEAD'
  }

  /** Skipped if the reader is behind anyway. */
  heartbeat(data: string): void {
    const { raw } = this.#reply
    if (!raw.writableNeedDrain) raw.write(data)
  }

  end(last = ''): void {
    this.#reply.raw.end(last)
  }

  /** Ends the connection so that a partial response does not look complete. Written data still arrives. */
  cut(): void {
    const { socket } = this.#reply.raw
    if (!socket) return
    // In HTTP/1.0, which proxies speak, a response ends with its connection. A reset marks it as incomplete.
    if (this.#reply.request.raw.httpVersion === '1.0')
      socket.write('', () => socket.resetAndDestroy())
    else socket.destroySoon()
    // A client that stops reading would keep it open.
    setTimeout(() => socket.destroy(), LAST_BYTES_MS).unref()
  }
}
