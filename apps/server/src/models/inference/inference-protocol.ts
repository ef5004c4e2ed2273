import type { Reading } from '@docent/quote/reading.ts'

/** What the server and the process of the models say to each other. */
export type InferenceTask =
  | { kind: 'embed'; texts: string[]; isQuestion: boolean }
  | { kind: 'read'; question: string; passages: string[] }

export interface InferenceResults {
  embed: Float32Array[]
  read: Reading[]
}

/** A ping is answered between two texts, so that a process that hangs is told from one that works. */
export type InferenceRequest = { id: number; task: InferenceTask } | 'ping'

/** `loading` and `ready` stand around what takes long: the start of the process, and the loading of a model. */
export type InferenceSign = 'pong' | 'loading' | 'ready'

export type InferenceReply =
  | { id: number; result: InferenceResults[InferenceTask['kind']] }
  | { id: number; error: string; code: string | undefined }

export interface InferenceOptions {
  /** Of a sentence encoder to use in the place of the built-in one. */
  folder: string | undefined
}

/** A sentence encoder that runs in the process. */
export interface SentenceEncoder {
  embed(text: string, isQuestion: boolean): Promise<Float32Array>
}
