import type { FinishReason } from '../database/tables.ts'
import type { TokenUsage } from '../models/catalogue.ts'

/** What the published interface says of a cited passage: exactly these five. */
export interface Citation {
  data_source_uuid: string
  title: string
  text: string
  file_name: string
  type: string
}

/** Where exactly a citation stands, so that it can be checked. */
export interface Receipt {
  data_source_uuid: string
  revision: string
  start: number
  end: number
  /** Counted from 1; null for a source without pages. */
  page: number | null
  url: string | null
  score: number
}

/** A piece of a growing answer, and its end. A failure is thrown, never a quiet end. */
export type AnswerEvent =
  | { type: 'text-delta'; text: string }
  | {
      type: 'finish'
      reason: FinishReason
      tokens: TokenUsage
      citations: Record<string, Citation>
      receipts: Record<string, Receipt>
    }
