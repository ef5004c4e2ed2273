import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
  /** The chunks of a chunked body, or the body as a single chunk. */
  chunks: Buffer[]
}

export interface WireRequest {
  version?: '1.0' | '1.1'
  /** Header lines, sent unchanged. */
  headers?: string[]
  body?: string | Buffer
}

/** A raw connection, so that a test can send bytes that no client library would. */
export class Wire {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #arrived = Promise.withResolvers<void>()
  closed = false

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#announce()
    })
    socket.on('close', () => {
      this.closed = true
      this.#announce()
    })
    socket.on('error', () => {})
  }

  static async open(t: { after(close: () => void): void }, address: string): Promise<Wire> {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    return new Wire(socket)
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes)
  }

  /** Disconnects without notice. */
  leave(): void {
    this.#socket.destroy()
  }

  /** Adds nothing but the `Host` that HTTP/1.1 requires and a content length if none is given. */
  request(
    method: string,
    path: string,
    { version = '1.1', headers = [], body = '' }: WireRequest = {},
  ): void {
    const measured = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
    const lines = [
      `${method} ${path} HTTP/${version}`,
      ...(version === '1.1' ? ['Host: localhost'] : []),
      ...headers,
      ...(body.length > 0 && !measured ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
    ]
    this.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]))
  }

  async send(method: string, path: string, request: WireRequest = {}): Promise<Answer> {
    this.request(method, path, request)
    return this.answer()
  }

  /** The next response on the connection. */
  async answer(): Promise<Answer> {
    const head = (await this.#readUntil('\r\n\r\n')).toString('latin1')
    const [first, ...lines] = head.split('\r\n')
    const status = Number(first!.split(' ')[1])
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const hasBody = status >= 200 && status !== 204
    const chunks = !hasBody ? [] : await this.#readBody(headers)
    return { status, headers, chunks, body: Buffer.concat(chunks).toString() }
  }

  /** Waits until the server closes the connection. Returns the unread bytes. */
  async ended(): Promise<string> {
    while (!this.closed) await this.#arrived.promise
    return this.#received.toString()
  }

  async #readBody(headers: Record<string, string>): Promise<Buffer[]> {
    if (headers['transfer-encoding'] === 'chunked') return this.#readChunks()
    if (headers['content-length'] === undefined) {
      await this.ended()
      return [this.#take(this.#received.length)]
    }
    return [await this.#read(Number(headers['content-length']))]
  }

  async #readChunks(): Promise<Buffer[]> {
    const chunks: Buffer[] = []
    while (true) {
      const size = Number.parseInt((await this.#readUntil('\r\n')).toString(), 16)
      const chunk = await this.#read(size)
      await this.#readUntil('\r\n')
      if (size === 0) return chunks
      chunks.push(chunk)
    }
  }

  async #readUntil(mark: string): Promise<Buffer> {
    while (!this.#received.includes(mark)) await this.#more()
    const bytes = this.#take(this.#received.indexOf(mark))
    this.#take(mark.length)
    return bytes
  }

  async #read(length: number): Promise<Buffer> {
    while (this.#received.length < length) await this.#more()
    return this.#take(length)
  }

  #take(length: number): Buffer {
    const bytes = this.#received.subarray(0, length)
    this.#received = this.#received.subarray(length)
    return bytes
  }

  async #more(): Promise<void> {
    if (this.closed) throw new Error(`closed after: ${this.#received.toString().slice(0, 200)}`)
    await this.#arrived.promise
  }

  #announce(): void {
    const { resolve } = this.#arrived
    this.#arrived = Promise.withResolvers<void>()
    resolve()
  }
}
