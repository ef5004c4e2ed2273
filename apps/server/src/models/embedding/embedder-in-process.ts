import type { Inference } from '../inference/inference.ts'
import type { Embedder } from './embedder.ts'

/** A sentence encoder that runs in the inference process. */
export class LocalEmbedder implements Embedder {
  readonly name: string
  readonly dimensions: number
  readonly understands: (text: string) => boolean
  readonly #inference: Inference

  constructor(
    name: string,
    dimensions: number,
    inference: Inference,
    understands = (_text: string) => true,
  ) {
    this.name = name
    this.dimensions = dimensions
    this.understands = understands
    this.#inference = inference
  }

  async embedQuestion(text: string, ownerId: string): Promise<Float32Array> {
    const task = { kind: 'embed' as const, texts: [text], isQuestion: true }
    const [vector] = await this.#inference.run(task, ownerId)
    return vector!
  }

  embedPassages(texts: string[], ownerId: string): Promise<Float32Array[]> {
    return this.#inference.run({ kind: 'embed', texts, isQuestion: false }, ownerId)
  }

  close(): Promise<void> {
    return this.#inference.close()
  }
}
