// The records of the interface are the client's, which a test holds against the server's. What the console reads in their
// JSON fields is here.
import type { Receipt, Source } from '../../../client/src/index.ts'

export type {
  Chatbot,
  Conversation as ConversationRecord,
  DayOfUse,
  FoundPassage,
  Message,
  Model,
  Receipt,
  Scope,
  SignInState,
  Source,
  SourcePassage as Passage,
  Token,
  UnansweredQuestion,
  Usage as MonthOfUse,
  Visibility,
  Webhook,
  WebhookDelivery as Delivery,
  WebhookEvent,
  Widget,
} from '../../../client/src/index.ts'

export const WEBHOOK_EVENTS = ['message.finished', 'source.finished', 'source.failed'] as const

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

export interface SourceMeta {
  url?: string
  question?: string
  answer?: string
  error?: string
  crawl?: object
  progress?: SourceProgress
  page_errors?: { url: string; error: string }[]
}

export interface MessageMeta {
  model_used?: string
  timings_ms?: { first_text: number | null; total: number }
  actual_token_distribution?: { total_tokens: number }
  confidence?: number
  answered?: boolean
  receipts?: Record<string, Receipt>
}

export function metaOf(source: Source): SourceMeta {
  return JSON.parse(source.meta_json)
}

const WORKING = ['await', 'extracting', 'chunking', 'embedding']

export function isWorking({ status }: Source): boolean {
  return WORKING.includes(status)
}

export function hasFailed({ status }: Source): boolean {
  return status === 'fail' || status.startsWith('error')
}
