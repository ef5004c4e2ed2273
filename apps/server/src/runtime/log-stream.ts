import { write, writeSync } from 'node:fs'

const ENOUGH = 8_192
const PAUSE_MS = 250
/** Lines beyond this buffer size are dropped, because the reader is stuck. */
const MOST_WAITING = 4_194_304

/**
 * Buffers log lines and writes them together. Failed writes are dropped: the log's disk may be full while the service
 * has all it needs. The library's own stream would wait for room and block everything.
 */
export class LogStream {
  readonly #descriptor: number
  #waiting = ''
  #isWriting = false
  #timer: NodeJS.Timeout | undefined

  constructor(descriptor: number) {
    this.#descriptor = descriptor
    process.on('exit', this.#writeRest)
  }

  write(line: string): void {
    if (this.#waiting.length > MOST_WAITING) return
    this.#waiting += line
    if (this.#waiting.length >= ENOUGH) this.#writeNow()
    else this.#timer ??= setTimeout(() => this.#writeNow(), PAUSE_MS).unref()
  }

  /** Writes the rest synchronously. */
  close(): void {
    process.off('exit', this.#writeRest)
    this.#writeRest()
  }

  #writeNow(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isWriting || this.#waiting === '') return
    this.#isWriting = true
    const bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#send(bytes)
  }

  #send(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      // The pipe is full for the moment.
      if (error?.code === 'EAGAIN') setTimeout(() => this.#send(bytes), PAUSE_MS).unref()
      else if (!error && written < bytes.length) this.#send(bytes.subarray(written))
      else {
        this.#isWriting = false
        if (this.#waiting !== '')
          this.#timer ??= setTimeout(() => this.#writeNow(), PAUSE_MS).unref()
      }
    })
  }

  readonly #writeRest = (): void => {
    let bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    try {
      while (bytes.length > 0) bytes = bytes.subarray(writeSync(this.#descriptor, bytes))
    } catch {
      // There is no place left to report this.
    }
  }
}
