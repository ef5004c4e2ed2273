import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { SentenceEncoder } from '../inference-protocol.ts'
import { BUILT_IN_DIMENSIONS } from './built-in.ts'
import { PieceTokenizer } from './tokenize-pieces.ts'
import { addScaled, normalize } from './vectors.ts'

const FOLDER = new URL('../../../models/embedder/', import.meta.url)
// As many pieces as the model was trained to read at once.
const WINDOW = 256
// What stands later in a very long passage no longer changes what it is about.
const MAX_WINDOWS = 8
// Texts of so few pieces are read together, so many at once: that takes half of the time for each. Longer ones gain nothing,
// and a batch takes as long as its longest text for each of them.
const SHORT = 32
const BATCH = 8

interface Waiting extends PromiseWithResolvers<Float32Array> {
  pieces: number[]
}

/** The sentence encoder that comes with the project. English; it needs no key and no network. */
export class BuiltInModel implements SentenceEncoder {
  readonly #session: InferenceSession
  readonly #tokenizer: PieceTokenizer
  #waiting: Waiting[] = []
  #isReading = false

  private constructor(session: InferenceSession, tokenizer: PieceTokenizer) {
    this.#session = session
    this.#tokenizer = tokenizer
  }

  static async load(): Promise<BuiltInModel> {
    const [model, pieces] = await Promise.all([
      readFile(new URL('meaning-en.onnx', FOLDER)),
      readFile(new URL('pieces.json', FOLDER), 'utf8'),
    ])
    const session = await InferenceSession.create(model, {
      // One thread for each model: more of them would take the cores from the rest of the service.
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
    })
    return new BuiltInModel(session, new PieceTokenizer(JSON.parse(pieces)))
  }

  /** A unit vector. A text longer than one window is the mean of its windows, weighted by their length. */
  async embed(text: string): Promise<Float32Array> {
    const pieces = this.#tokenizer.encode(text)
    const sum = new Float32Array(BUILT_IN_DIMENSIONS)
    for (let start = 0; start < pieces.length && start < WINDOW * MAX_WINDOWS; start += WINDOW) {
      const window = pieces.slice(start, start + WINDOW)
      addScaled(sum, await this.#embedWindow(window), window.length)
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

  /** Who has waited longest, with others that are as short. */
  #nextBatch(): Waiting[] {
    const isShort = ({ pieces }: Waiting) => pieces.length <= SHORT
    const [first] = this.#waiting
    const batch = isShort(first!) ? this.#waiting.filter(isShort).slice(0, BATCH) : [first!]
    this.#waiting = this.#waiting.filter((one) => !batch.includes(one))
    return batch
  }

  async #read(texts: number[][]): Promise<Float32Array[]> {
    const longest = Math.max(...texts.map((pieces) => pieces.length))
    const shape = [texts.length, longest]
    const ids = new BigInt64Array(texts.length * longest)
    const mask = new Float32Array(texts.length * longest)
    for (const [i, pieces] of texts.entries()) {
      ids.set(pieces.map(BigInt), i * longest)
      mask.fill(1, i * longest, i * longest + pieces.length)
    }
    const { embedding } = await this.#session.run({
      ids: new Tensor('int64', ids, shape),
      mask: new Tensor('float32', mask, shape),
    })
    const all = embedding!.data as Float32Array
    return texts.map((_, i) => all.subarray(i * BUILT_IN_DIMENSIONS, (i + 1) * BUILT_IN_DIMENSIONS))
  }
}
