import type { Nearness } from '@docent/quote/found-passage.ts'

export interface RegisteredEmbedder {
  id: number
  name: string
  dimensions: number
}

/** In hexadecimal: the bytes of the vector, and its signs, which SQLite searches first. */
export interface PassageVector {
  vector: string
  signs: string
}

export interface QuestionVector {
  embedder: RegisteredEmbedder
  vector: Float32Array
  signs: Uint8Array
  /** From 0 to 1: how well the embedder understands the text. The ranking weights nearness with it. */
  understood: number
  nearness: Nearness
}
