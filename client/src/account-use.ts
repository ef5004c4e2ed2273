/** How much an account has stored. */
export interface Use {
  /** Chatbots, sources, sessions and messages together. */
  rows: number
  /** Null: no limit. */
  max_rows: number | null
  /** Of uploaded files, the texts of sources, and conversations. */
  bytes: number
  max_bytes: number | null
  chatbots: number
  sources: number
  sessions: number
  messages: number
}
