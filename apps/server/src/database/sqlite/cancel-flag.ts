const WANTED = 0
const CANCELLED = 1

/** Tells a thread to stop. A thread inside a statement receives no messages, so this is shared memory. */
export class CancelFlag {
  readonly buffer: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer
    this.#state = new Int32Array(buffer)
  }

  get isCancelled(): boolean {
    return Atomics.load(this.#state, 0) === CANCELLED
  }

  cancel(): void {
    Atomics.store(this.#state, 0, CANCELLED)
  }

  reset(): void {
    Atomics.store(this.#state, 0, WANTED)
  }
}
