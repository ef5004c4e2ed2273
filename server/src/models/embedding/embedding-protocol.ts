/** What the main thread and the embedding thread say to each other. */
export interface EmbeddingRequest {
  id: number
  texts: string[]
  isQuestion: boolean
}

export type EmbeddingReply = { id: number; vectors: Float32Array[] } | { id: number; error: string }

/** A model that runs in the embedding thread. */
export interface ThreadModel {
  embed(text: string, isQuestion: boolean): Promise<Float32Array>
}
