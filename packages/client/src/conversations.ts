import type { CallOptions } from './http/send-request.ts'
import type { Conversation } from './records.ts'
import type { Ref } from './request-types.ts'
import type { Rating } from './values.ts'

export interface ConversationFilters {
  /** Where the conversation took place. */
  channel?: Conversation['channel'] | undefined
  /** Only conversations with an answer that has this rating. */
  rating?: Rating | undefined
  /**
   * Only conversations with a message that contains all of these words. With `rating`, the rated message must contain
   * them.
   */
  search?: string | undefined
  /** Only conversations that ended at this time or later. */
  from?: Date | undefined
  /** Only conversations that began at this time or before. */
  to?: Date | undefined
}

export interface ConversationsOptions extends CallOptions, ConversationFilters {
  /** 1 to 200. Default: 50. */
  limit?: number | undefined
  /** Only conversations that follow this one in the list. */
  before?: Ref | undefined
}

export interface ExportOptions extends CallOptions, ConversationFilters {
  /** `csv` is a table for spreadsheets. `jsonl` is one `ExportedMessage` per line as JSON. Default: `csv`. */
  format?: 'csv' | 'jsonl' | undefined
}
