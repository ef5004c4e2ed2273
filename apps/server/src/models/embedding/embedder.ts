/** Turns texts into vectors. Texts with similar meanings get vectors with similar directions. */
export interface Embedder {
  /** Identifies the model: vectors of different names are never compared. */
  readonly name: string
  readonly dimensions: number
  /** False if the model cannot read the text: its vector is meaningless then. */
  understands(text: string): boolean
  /** Owners take turns if the model runs on this machine. */
  embedQuestion(text: string, ownerId: string): Promise<Float32Array>
  embedPassages(texts: string[], ownerId: string): Promise<Float32Array[]>
  close(): Promise<void>
}
