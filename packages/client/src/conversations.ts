import type { CallOptions } from './http/send-request.ts'
import type { Conversation } from './records.ts'
import type { Ref } from './request-types.ts'
import type { Rating } from './values.ts'

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
