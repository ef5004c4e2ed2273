import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { SentenceEncoder } from '../inference/inference-protocol.ts'
import { Pieces } from '../inference/word-pieces.ts'
import { BUILT_IN_DIMENSIONS } from './built-in-constants.ts'
import { addScaled, normalize } from './vectors.ts'

const FOLDER = new URL('../../../../../models/encoder/', import.meta.url)
// The model was trained to read this many pieces at once. Two of them are marks.
const WINDOW = 256 - 2
// Later text in a very long passage does not change its subject.
const MAX_WINDOWS = 8
// Short texts of one length are read together, which halves the time for each. Longer texts gain nothing.
const SHORT = 32
const BATCH = 8

interface Waiting extends PromiseWithResolvers<Float32Array> {
  pieces: number[]
}

/** The built-in sentence encoder for English. Needs no key and no network. */
export class BuiltInModel implements SentenceEncoder {
  readonly #session: InferenceSession
  readonly #pieces: Pieces
  #waiting: Waiting[] = []
  #isReading = false

  private constructor(session: InferenceSession, pieces: Pieces) {
    this.#session = session
    this.#pieces = pieces
  }

  static async load(): Promise<BuiltInModel> {
    const [model, pieces] = await Promise.all([
      readFile(new URL('meaning-en.onnx', FOLDER)),
      readFile(new URL('pieces.txt', FOLDER), 'utf8'),
    ])
    const session = await InferenceSession.create(model, {
      // One thread per model. More threads would take cores from the rest of the server.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
    })
    return new BuiltInModel(session, new Pieces(pieces.trimEnd().split('\n')))
  }

  /** Returns a unit vector. A text longer than one window gets the mean of its windows, weighted by their length. */
  async embed(text: string): Promise<Float32Array> {
    const pieces = this.#pieces.cut(text, WINDOW * MAX_WINDOWS).map(({ number }) => number)
    const sum = new Float32Array(BUILT_IN_DIMENSIONS)
    for (let start = 0; start < pieces.length; start += WINDOW) {
      const window = pieces.slice(start, start + WINDOW)
      const marked = [this.#pieces.begin, ...window, this.#pieces.end]
      addScaled(sum, await this.#embedWindow(marked), window.length)
    }
    return normalize(sum)
  }

  #embedWindow(pieces: number[]): Promise<Float32Array> {
    const waiting = { pieces, ...Promise.withResolvers<Float32Array>() }
    this.#waiting.push(waiting)
    if (!this.#isReading) void this.#readWaiting()
    return waiting.promise
  }

  async #readWaiting(): Promise<void> {
    this.#isReading = true
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      try {
        const vectors = await this.#read(batch.map(({ pieces }) => pieces))
        for (const [i, { resolve }] of batch.entries()) resolve(vectors[i]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#isReading = false
  }

  /** Takes the text that has waited longest, with others of the same length. */
  #nextBatch(): Waiting[] {
    const { length } = this.#waiting[0]!.pieces
    const alike = this.#waiting.filter(({ pieces }) => pieces.length === length)
    const batch = alike.slice(0, length <= SHORT ? BATCH : 1)
    this.#waiting = this.#waiting.filter((one) => !batch.includes(one))
    return batch
  }

  async #read(texts: number[][]): Promise<Float32Array[]> {
    const pieces = new Tensor('int32', Int32Array.from(texts.flat()), [
      texts.length,
      texts[0]!.length,
    ])
    const { embedding } = await this.#session.run({ pieces })
    const all = embedding!.data as Float32Array
    return texts.map((_, i) => all.subarray(i * BUILT_IN_DIMENSIONS, (i + 1) * BUILT_IN_DIMENSIONS))
  }
}
