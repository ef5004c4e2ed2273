import type { Message, Source } from '../records.ts'
import type { CrawlSettings } from '../requests.ts'

// Some fields of the interface are JSON in a string. These read them.

/** How far reading has come. Of a site it stays, with what became of its pages. */
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

/** What is known of a source beside its fields; more may be there than is named here. */
export interface SourceMeta {
  url?: string
  final_url?: string
  /** When it was read the last time that it could be. */
  fetched_at?: string
  /** When it is read again by itself, well read or not. */
  next_reading_at?: string
  question?: string
  answer?: string
  reference_source_link?: string
  /** What went wrong, and what to do about it, in English. */
  error?: string
  /** The same for a program to read, such as `no_such_page`. */
  error_code?: string
  /** What the code alone does not say, such as `{ status: 404 }`. */
  error_params?: Record<string, unknown>
  /** How a site is gone through, where it is one. */
  crawl?: CrawlSettings
  /** It is read again after so many hours. */
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

/** Where exactly a citation stands. */
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

/** What is known of an answer; more may be there than is named here. */
export interface MessageMeta {
  model_asked?: string
  model_used?: string
  /** The question-and-answer pair that answered in a language model's place. */
  pair?: string
  actual_token_distribution?: {
    prompt_tokens: number
    completion_tokens: number
    total_tokens: number
  }
  timings_ms?: { first_text: number | null; total: number }
  /** By the marker in the text, as `messageCitations` has them. */
  receipts?: Record<string, Receipt>
  confidence?: number
  /** Whether it is an answer. Not there where nothing tells: a model that was given no passages may know it. */
  answered?: boolean
  /** Why it failed, for a program to read: such as `model_failed`. `error_message` of the message has the sentence. */
  error_code?: string
  /** What the code alone does not say. */
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
 * What each marker in an answer stands for.
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
