import { readFile } from 'node:fs/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { SentenceEncoder } from '../inference/inference-protocol.ts'
import { type FolderFiles, readFolder } from './folder-files.ts'
import { normalize } from './vectors.ts'

/** A published sentence encoder: a folder with an ONNX model and the tokenizer's files. */
export class OnnxFolderModel implements SentenceEncoder {
  readonly #session: InferenceSession
  readonly #tokenizer: Tokenizer
  readonly #files: FolderFiles

  private constructor(session: InferenceSession, files: FolderFiles) {
    this.#session = session
    this.#tokenizer = new Tokenizer(files.tokenizer, files.tokenizerConfig)
    this.#files = files
  }

  static async load(folder: string): Promise<OnnxFolderModel> {
    const files = readFolder(folder)
    const options = { intraOpNumThreads: 1, interOpNumThreads: 1 }
    const session = await InferenceSession.create(await readFile(files.modelFile), options)
    return new OnnxFolderModel(session, files)
  }

  async embed(text: string, isQuestion: boolean): Promise<Float32Array> {
    const prompt = this.#files.prompts[isQuestion ? 'query' : 'document'] ?? ''
    const ids = this.#tokenizer.encode(prompt + text).ids.slice(0, this.#files.maxTokens)
    const feeds: Record<string, Tensor> = {
      input_ids: toTensor(ids),
      attention_mask: toTensor(ids.map(() => 1)),
      token_type_ids: toTensor(ids.map(() => 0)),
    }
    const wanted = this.#session.inputNames.map((name) => [name, feeds[name]!])
    const outputs = await this.#session.run(Object.fromEntries(wanted))
    const pooled = outputs.sentence_embedding
    if (pooled) return normalize(pooled.data as Float32Array)
    const states = outputs.last_hidden_state ?? Object.values(outputs)[0]!
    return normalize(this.#pool(states.data as Float32Array, ids.length))
  }

  #pool(states: Float32Array, tokens: number): Float32Array {
    const size = states.length / tokens
    if (this.#files.usesFirstToken) return states.slice(0, size)
    const sum = new Float32Array(size)
    for (let i = 0; i < states.length; i++) sum[i % size]! += states[i]!
    return sum
  }
}

function toTensor(values: number[]): Tensor {
  return new Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length])
}
