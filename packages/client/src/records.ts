// Generated from docs/openapi.json by "npm run generate".
import type {
  DeliveryEvent,
  FinishReason,
  Rating,
  Scope,
  SourceStatus,
  SourceType,
  Visibility,
  WebhookEvent,
} from './values.ts'

/** How a chatbot answers, beside the settings of its record. */
export interface Answering {
  /** A question-and-answer pair that asks the same answers word for word, and no language model is called. */
  pairs_override: boolean
  /** The model that answers now: the chatbot’s own, or the server’s default while that is not available. */
  model_used: string
}

export interface Chatbot {
  uuid: string
  name: string
  created_at: string
  modified_at: string
  meta: ChatbotSettings
}

export interface ChatbotSettings {
  /** A name from the list of models. */
  model: string
  prompt: string
  /** 0 to 2. */
  temperature: number
  /** Number of messages and the seconds in which they may be sent. */
  rate_limit: [number, number]
  rate_limit_message: string
  show_citations: boolean
  visibility: Visibility
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

/** How a call arrives at the server: what its proxies say, and what of it the server believes. */
export interface Connection {
  /** The address that the connection comes from. */
  peer: string
  /** The address that limits count: what a trusted proxy says, else the peer. */
  caller: string
  /** Address that a proxy names, trusted or not. */
  forwarded_for: string | null
  protocol: string
  host: string
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

export interface CreatedToken {
  uuid: string
  /** Shown this once. */
  token: string
}

export interface CreatedWebhook {
  uuid: string
  url: string
  events: WebhookEvent[]
  created_at: string
  modified_at: string
  /** Signs what is sent. Shown this once. */
  secret: string
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
  /** Milliseconds. */
  first_text_p95: number | null
}

/** A cited range with the text around it. */
export interface Excerpt {
  before: string
  text: string
  after: string
}

/** One message in a line of exported conversations. */
export interface ExportedMessage {
  session_uuid: string
  uuid: string
  created_at: string
  channel: 'api' | 'share' | 'widget'
  question: string
  answer: string
  finish_reason: FinishReason | ''
  error_message: string
  /** Whether the sources held it, where that is known. */
  answered: boolean | null
  confidence: number | null
  rating: Rating | null
  comment: string | null
  model: string | null
  prompt_tokens: number | null
  completion_tokens: number | null
  /** Those that are cited. */
  sources: {
    title: string
    url: string | null
  }[]
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

export interface Message {
  uuid: string
  query: string
  response: string
  /** Empty while the answer runs. */
  finish_reason: FinishReason | ''
  error_message: string
  /** A JSON object as a string, keyed by marker. */
  cite_data_json: string
  /** A JSON object as a string. */
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

export interface Model {
  name: string
  provider: string
  default: boolean
}

export interface NewSession {
  uuid: string
  created_at: string
  modified_at: string
}

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

export interface RescrapeResult {
  uuid: string
  status?: string | undefined
  error?: string | undefined
}

export interface Session {
  uuid: string
  created_at: string
  modified_at: string
  meta: Record<string, unknown>
}

export interface SignInState {
  /** Who is signed in. */
  user: {
    uuid: string
    name: string
  } | null
  /** There is no account yet. */
  needs_account: boolean
}

export interface Source {
  uuid: string
  title: string
  type: SourceType
  status: SourceStatus
  file_name: string
  file_size: number
  tokens: number
  /** A JSON object as a string. */
  meta_json: string
  created_at: string
  modified_at: string
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
  /** Of a document with pages. */
  page: number | null
  /** Of a source that is a site. */
  page_url: string
}

export interface Success {
  success: true
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

export interface UnansweredQuestion {
  question: string
  count: number
  last_asked_at: string
  /** The newest session in which it was asked. */
  session_uuid: string
  /** The messages that asked it. */
  uuids: string[]
}

export interface Usage {
  /** In UTC. */
  month: string
  /** Answers by a language model. */
  messages: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Null: no limit. */
  token_budget: number | null
}

/** How much an account has stored. */
export interface Use {
  /** Chatbots, sources, sessions and messages together. */
  rows: number
  /** Null: no limit. */
  max_rows: number | null
  /** Of uploaded files, the texts of sources, and conversations. */
  bytes: number
  /** Null: no limit. */
  max_bytes: number | null
  chatbots: number
  sources: number
  sessions: number
  messages: number
}

export interface User {
  uuid: string
  name: string
  created_at: string
  modified_at: string
}

/** A visitor’s session, with the secret that reaches it and nothing else. */
export interface Visit {
  uuid: string
  /** Reaches this session and nothing else; shown once. */
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

export interface Webhook {
  uuid: string
  url: string
  events: WebhookEvent[]
  created_at: string
  modified_at: string
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

/** How a chatbot looks to visitors. */
export interface Widget {
  /** Whose pages may show the widget; an empty list allows any. */
  allowed_origins: string[]
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  /** Empty: the chatbot’s name. */
  title: string
  greeting: string
  suggested_questions: string[]
}
