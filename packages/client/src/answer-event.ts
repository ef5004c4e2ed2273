import type { FinishReason } from './values.ts'

/** One event of a running answer's stream. `offset` is where the text begins, in bytes of the answer. */
export type AnswerEvent =
  | { type: 'message-start'; uuid: string }
  | { type: 'text-delta'; text: string; offset: number }
  | { type: 'message-end'; uuid: string; finish_reason: FinishReason }
