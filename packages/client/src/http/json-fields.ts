import type { Message, Source } from '../records.ts'
import type { CrawlSettings } from '../requests.ts'

// Some fields of the API contain JSON in a string. These functions parse them.

/** Progress of reading a source. Sites keep it afterwards, with the results of their pages. */
export interface SourceProgress {
  percent: number
  done: number
  found: number
  of?: 'pages' | 'passages'
  indexed?: number
  unchanged?: number
  gone?: number
  skipped?: number
}

/** More information about a source. The object may have fields that are not listed here. */
export interface SourceMeta {
  url?: string
  final_url?: string
  /** Time of the last successful read. */
  fetched_at?: string
  /** Time of the next automatic refresh, whether or not the last read succeeded. */
  next_reading_at?: string
  question?: string
  answer?: string
  reference_source_link?: string
  /** What went wrong and how to fix it, in English. */
  error?: string
  /** The error as a code, for example `no_such_page`. */
  error_code?: string
  /** Values that complete the code, for example `{ status: 404 }`. */
  error_params?: Record<string, unknown>
  /** How to crawl the site. Only sites have it. */
  crawl?: CrawlSettings
  /** Hours between automatic refreshes. */
  refresh_hours?: number
  progress?: SourceProgress
  /** Pages of a site that could not be read. */
  page_errors?: {
    url: string
    error: string
    error_code?: string
    error_params?: Record<string, string | number>
  }[]
  [more: string]: unknown
}

export interface Citation {
  data_source_uuid: string
  title: string
  text: string
  file_name: string
  type: string
}

/** The exact position of a citation in its source. */
export interface Receipt {
  data_source_uuid: string
  revision: string
  start: number
  end: number
  quote: string
  page: number | null
  url: string | null
  score: number
}

/** More information about an answer. The object may have fields that are not listed here. */
export interface MessageMeta {
  model_asked?: string
  model_used?: string
  /** The question-and-answer pair that answered instead of a language model. */
  pair?: string
  actual_token_distribution?: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
  }
  timings_ms?: { first_text: number | null; total: number }
  /** The receipts by marker, with the same keys as `messageCitations`. */
  receipts?: Record<string, Receipt>
  confidence?: number
  /**
   * Whether the message answers the question. Missing when it is unknown: a model without passages may still know the
   * answer.
   */
  answered?: boolean
  /** Why the answer failed, for example `model_failed`. The message's `error_message` has the sentence. */
  error_code?: string
  /** Values that complete the code. */
  error_params?: Record<string, string | number>
  [more: string]: unknown
}

export function sourceMeta(source: Pick<Source, 'meta_json'>): SourceMeta {
  return JSON.parse(source.meta_json)
}

export function messageMeta(message: Pick<Message, 'meta_json'>): MessageMeta {
  return JSON.parse(message.meta_json)
}

/**
 * Gets the citation of each marker in an answer.
 *
 * @example
 * ```ts
 * import { messageCitations } from '@docent/client'
 *
 * for (const [marker, { title, text }] of Object.entries(messageCitations(message))) {
 *   console.log(`[${marker}] ${title}: ${text}`)
 * }
 * ```
 */
export function messageCitations(
  message: Pick<Message, 'cite_data_json'>,
): Record<string, Citation> {
  return JSON.parse(message.cite_data_json)
}
