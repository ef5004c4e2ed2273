import type { Conversation, FinishReason, Rating, Ref } from './records.ts'
import type { CallOptions } from './send-request.ts'

export interface ConversationFilters {
  /** Where they were held. */
  channel?: Conversation['channel'] | undefined
  /** Only those with an answer that was rated so. */
  rating?: Rating | undefined
  /** Only those with a message that has all of these words; with a rating, in the message that was rated. */
  search?: string | undefined
  /** Only those that were not over before. */
  from?: Date | undefined
  /** Only those that had begun by then. */
  to?: Date | undefined
}

export interface ConversationsOptions extends CallOptions, ConversationFilters {
  /** 1 to 200; 50 unless given. */
  limit?: number | undefined
  /** Only what comes after this conversation in the list. */
  before?: Ref | undefined
}

export interface ExportOptions extends CallOptions, ConversationFilters {
  /** A table for spreadsheets, or an `ExportedMessage` as JSON in each line; `csv` unless given. */
  format?: 'csv' | 'jsonl' | undefined
}

/** What a line of exported conversations says of a message. */
export interface ExportedMessage {
  session_uuid: string
  uuid: string
  created_at: string
  channel: Conversation['channel']
  question: string
  answer: string
  finish_reason: FinishReason | ''
  error_message: string
  answered: boolean | null
  confidence: number | null
  rating: Rating | null
  comment: string | null
  model: string | null
  prompt_tokens: number | null
  completion_tokens: number | null
  sources: { title: string; url: string | null }[]
}
