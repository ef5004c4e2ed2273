import type { Reading } from '@docent/quote/reading.ts'

/** A request to the inference process. */
export type InferenceTask =
  | { kind: 'embed'; texts: string[]; isQuestion: boolean }
  | { kind: 'read'; question: string; passages: string[] }

export interface InferenceResults {
  embed: Float32Array[]
  read: Reading[]
}

/** The process answers pings between two texts, which distinguishes a hanging process from a busy one. */
export type InferenceRequest = { id: number; task: InferenceTask } | 'ping'

/** `loading` and `ready` enclose slow phases: the start of the process, and the loading of a model. */
export type InferenceSign = 'pong' | 'loading' | 'ready'

export type InferenceReply =
  | { id: number; result: InferenceResults[InferenceTask['kind']] }
  | { id: number; error: string; code: string | undefined }

export interface InferenceOptions {
  /** Folder of a sentence encoder that replaces the built-in one. */
  folder: string | undefined
}

/** A sentence encoder inside the inference process. */
export interface SentenceEncoder {
  embed(text: string, isQuestion: boolean): Promise<Float32Array>
}
