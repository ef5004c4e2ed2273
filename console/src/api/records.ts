// The records of the interface that the console uses; docs/openapi.json describes them.

export interface SignInState {
  user: { uuid: string; name: string } | null
  needs_account: boolean
  needs_code: boolean
}

export type Visibility = 'private' | 'public' | 'hybrid'

export interface Chatbot {
  uuid: string
  name: string
  created_at: string
  modified_at: string
  meta: {
    model: string
    prompt: string
    temperature: number
    rate_limit: [number, number]
    rate_limit_message: string
    show_citations: boolean
    visibility: Visibility
  }
}

export interface Model {
  name: string
  provider: string
  default: boolean
}

export interface Source {
  uuid: string
  title: string
  type: 'link' | 'qa' | 'upload'
  status: string
  file_name: string
  file_size: number
  tokens: number
  meta_json: string
  created_at: string
  modified_at: string
}

export interface SourceMeta {
  url?: string
  question?: string
  answer?: string
  error?: string
  crawl?: object
  progress?: { percent: number; done: number; found: number }
  page_errors?: { url: string; error: string }[]
}

export interface Passage {
  id: number
  revision: string
  start: number
  end: number
  text: string
  page: number | null
  page_url: string
}

export interface FoundPassage {
  data_source_uuid: string
  title: string
  text: string
  score: number
  revision: string
  start: number
  end: number
  page: number | null
  url: string | null
}

export interface Message {
  uuid: string
  query: string
  response: string
  finish_reason: string
  error_message: string
  cite_data_json: string
  meta_json: string
  feedback_json: string | null
  created_at: string
}

export interface MessageMeta {
  model_used?: string
  timings_ms?: { first_text: number | null; total: number }
  actual_token_distribution?: { total_tokens: number }
  confidence?: number
  answered?: boolean
  receipts?: Record<string, Receipt>
}

export interface Receipt {
  data_source_uuid: string
  revision: string
  start: number
  end: number
  page: number | null
  url: string | null
}

export interface Widget {
  allowed_origins: string[]
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  title: string
  greeting: string
  suggested_questions: string[]
}

export interface ConversationRecord {
  uuid: string
  created_at: string
  modified_at: string
  channel: 'api' | 'share' | 'widget'
  messages: number
  first_question: string
  rated_up: number
  rated_down: number
}

export interface UnansweredQuestion {
  question: string
  count: number
  last_asked_at: string
  uuids: string[]
}

export interface DayOfUse {
  date: string
  messages: number
  answered: number
  sessions: number
  rated_up: number
  rated_down: number
  tokens: number
  first_text_p50: number | null
  first_text_p95: number | null
}

export interface MonthOfUse {
  month: string
  messages: number
  total_tokens: number
  token_budget: number | null
}

export const WEBHOOK_EVENTS = ['message.finished', 'source.finished', 'source.failed'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

export interface Webhook {
  uuid: string
  url: string
  events: WebhookEvent[]
  created_at: string
}

export interface Delivery {
  uuid: string
  event: WebhookEvent
  subject_uuid: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  response_status: number | null
  error: string
  next_attempt_at: string | null
  created_at: string
}

export interface Token {
  uuid: string
  name: string
  hint: string
  scopes: Scope[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export type Scope = 'read' | 'write' | 'chat'

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
