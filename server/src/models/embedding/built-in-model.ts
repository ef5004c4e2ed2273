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

/** The sentence encoder that comes with the project. English; it needs no key and no network. */
export class BuiltInModel implements SentenceEncoder {
  readonly #session: InferenceSession
  readonly #tokenizer: PieceTokenizer

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

  /** One window at a time: windows of different lengths in one batch would pay for the longest. */
  async #embedWindow(pieces: number[]): Promise<Float32Array> {
    const shape = [1, pieces.length]
    const { embedding } = await this.#session.run({
      ids: new Tensor('int64', BigInt64Array.from(pieces, BigInt), shape),
      mask: new Tensor('float32', new Float32Array(pieces.length).fill(1), shape),
    })
    return embedding!.data as Float32Array
  }
}
