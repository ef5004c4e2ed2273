import type { FinishReason } from './values.ts'

/** An event in the stream of a running answer. `offset` is where the text begins, in bytes of the answer. */
export type AnswerEvent =
  | { type: 'message-start'; uuid: string }
  | { type: 'text-delta'; text: string; offset: number }
  | { type: 'message-end'; uuid: string; finish_reason: FinishReason }
