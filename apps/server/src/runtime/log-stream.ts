import { write, writeSync } from 'node:fs'

const ENOUGH = 8_192
const PAUSE_MS = 250
/** Beyond that, lines are left out: whoever should take them does not. */
const MOST_WAITING = 4_194_304

/**
 * Takes the log's lines and writes them together. What can't be written is given up, as the disk that the log is on may
 * be full while the service has all that it needs; the library's own stream waits for room instead, and everything with it.
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

  /** The last lines, at once. */
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
      // A pipe that is full for now.
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
      // There is nobody left to tell.
    }
  }
}
