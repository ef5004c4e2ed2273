// The records of the interface, as the server has them: a test holds each against the server's own.

/** A record, or its uuid. */
export type Ref = string | { readonly uuid: string }

export type Visibility = 'private' | 'public' | 'hybrid'

export interface ChatbotSettings {
  /** A name from `client.models.list()`. */
  model: string
  prompt: string
  /** 0 to 2. */
  temperature: number
  /** So many messages in so many seconds. */
  rate_limit: [messages: number, seconds: number]
  rate_limit_message: string
  show_citations: boolean
  visibility: Visibility
}

export interface Chatbot {
  uuid: string
  name: string
  created_at: string
  modified_at: string
  meta: ChatbotSettings
}

/** Only the fields that are named change. */
export type Changes<T> = { [Key in keyof T]?: T[Key] | undefined }

export interface NewChatbot extends Changes<ChatbotSettings> {
  name: string
}

export type ChatbotUpdate = Changes<NewChatbot>

export type SourceType = 'link' | 'qa' | 'upload'

export type SourceStatus =
  | 'await'
  | 'extracting'
  | 'chunking'
  | 'embedding'
  | 'success'
  | 'fail'
  | 'error:no text'
  | 'error:download'
  | 'error:content type'
  | 'error:not found'
  | 'error:storage'
  | 'error:token'

export interface Source {
  uuid: string
  title: string
  type: SourceType
  status: SourceStatus
  file_name: string
  file_size: number
  tokens: number
  /** A JSON object as a string; `sourceMeta` reads it. */
  meta_json: string
  created_at: string
  modified_at: string
}

export interface CrawlSettings {
  max_pages?: number | undefined
  max_depth?: number | undefined
  /** Beginnings of paths, with * for anything. */
  include?: string[] | undefined
  exclude?: string[] | undefined
}

export interface QaSourceOptions {
  /** Where readers of a citation find it: an http or https URL. */
  reference_source_link?: string | null | undefined
}

export interface UrlSourceOptions extends QaSourceOptions {
  /** Makes one source of the whole site. */
  crawl?: CrawlSettings | undefined
  /** Reads it again after so many hours. */
  refresh_hours?: number | undefined
}

/** Only what is named is changed. */
export interface ReadingChange {
  /** Only of a site. */
  crawl?: CrawlSettings | undefined
  /** Reads it again after so many hours; null: never by itself. */
  refresh_hours?: number | null | undefined
}

export interface RescrapeResult {
  uuid: string
  status?: string | undefined
  error?: string | undefined
}

/** A piece of the text that a source became. */
export interface SourcePassage {
  id: number
  /** The hash of the text that it is a piece of. */
  revision: string
  /** In UTF-16 units of that text. */
  start: number
  end: number
  text: string
  page: number | null
  page_url: string
}

/** A cited range with the text around it. */
export interface Excerpt {
  before: string
  text: string
  after: string
}

/** A passage that a search found. */
export interface FoundPassage {
  data_source_uuid: string
  title: string
  text: string
  /** Higher is better. */
  score: number
  revision: string
  start: number
  end: number
  page: number | null
  url: string | null
}

export interface NewSession {
  uuid: string
  created_at: string
  modified_at: string
}

export interface Session extends NewSession {
  meta: Record<string, unknown>
}

export type FinishReason =
  | 'stop'
  | 'length'
  | 'content_filter'
  | 'cancelled'
  | 'interrupted'
  | 'error'

export interface Message {
  uuid: string
  query: string
  response: string
  /** Empty while the answer runs. */
  finish_reason: FinishReason | ''
  error_message: string
  /** A JSON object as a string; `messageCitations` reads it. */
  cite_data_json: string
  /** A JSON object as a string; `messageMeta` reads it. */
  meta_json: string
  feedback_json: string | null
  labels: unknown[]
  session_documents: unknown[]
  background_pending_tasks: number
  detected_frustrations: string | null
  ai_context_json: string
  created_at: string
  modified_at: string
}

export type Rating = 'up' | 'down'

export interface Feedback {
  rating: Rating
  comment?: string | undefined
}

export interface CitationCheck {
  /** Whether all of them are. */
  verified: boolean
  citations: {
    marker: string
    verified: boolean
    reason: 'source gone' | 'text differs' | null
  }[]
}

export interface Conversation {
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
  /** The newest session in which it was asked. */
  session_uuid: string
  /** The messages that asked it. */
  uuids: string[]
}

export interface DayOfUse {
  /** In UTC, unless another clock was asked for. */
  date: string
  messages: number
  answered: number
  sessions: number
  rated_up: number
  rated_down: number
  tokens: number
  /** Milliseconds. */
  first_text_p50: number | null
  first_text_p95: number | null
}

export interface Usage {
  /** In UTC, such as `2026-11`. */
  month: string
  messages: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Null: no limit. */
  token_budget: number | null
}

/** How a chatbot answers, beside the settings of its record. */
export interface Answering {
  /** A question-and-answer pair that asks the same answers, and no language model is called. */
  pairs_override: boolean
  /** The model that answers now: another one than the chatbot's own while that is not available. Can't be changed here. */
  model_used: string
}

export interface Widget {
  /** Whose pages may show the widget; an empty list allows any. */
  allowed_origins: string[]
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  title: string
  greeting: string
  suggested_questions: string[]
}

export type WebhookEvent = 'message.finished' | 'source.finished' | 'source.failed'

/** A test is sent when its owner says so; no webhook has to ask for it. */
export type DeliveryEvent = WebhookEvent | 'webhook.test'

export interface NewWebhook {
  url: string
  /** All of them unless named. */
  events?: WebhookEvent[] | undefined
}

export interface Webhook {
  uuid: string
  url: string
  events: WebhookEvent[]
  created_at: string
  modified_at: string
}

export interface CreatedWebhook extends Webhook {
  /** Signs what is sent. Shown this once. */
  secret: string
}

export interface WebhookDelivery {
  uuid: string
  event: DeliveryEvent
  /** The message or source that it is about; of a test, the webhook itself. */
  subject_uuid: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  response_status: number | null
  error: string
  next_attempt_at: string | null
  created_at: string
  modified_at: string
}

export type Scope = 'read' | 'write' | 'chat'

export interface NewToken {
  name: string
  /** All that its maker has unless named. */
  scopes?: Scope[] | undefined
  expires_in_days?: number | undefined
}

export interface Token {
  uuid: string
  name: string
  /** How it begins. */
  hint: string
  scopes: Scope[]
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export interface CreatedToken {
  uuid: string
  /** Shown this once. */
  token: string
}

export interface Model {
  name: string
  provider: string
  default: boolean
}

export interface User {
  uuid: string
  name: string
  created_at: string
  modified_at: string
}

/** How a call arrives at the server: what its proxies say, and what of it the server believes. */
export interface Connection {
  peer: string
  /** Whom limits count. */
  caller: string
  forwarded_for: string | null
  protocol: string
  host: string
}

export interface SignInState {
  user: { uuid: string; name: string } | null
  /** There is no account yet. */
  needs_account: boolean
}

export interface NewAccount {
  name: string
  password: string
  /** From the link that the server printed at its start. */
  code: string
}

/** The share page, or the widget on somebody's site. */
export type Channel = 'share' | 'widget'

/** What visitors see of a chatbot. */
export interface OpenChatbot {
  uuid: string
  title: string
  greeting: string
  suggested_questions: string[]
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
}

/** A visitor's session, with the secret that reaches it and nothing else. */
export interface Visit {
  uuid: string
  secret: string
}

export interface VisitorCitation {
  title: string
  text: string
  url: string | null
  page: number | null
}

export interface VisitorMessage {
  uuid: string
  query: string
  response: string
  finish_reason: FinishReason | ''
  error_message: string
  citations: Record<string, VisitorCitation>
  rating: Rating | null
  created_at: string
}

export interface Success {
  success: true
}
