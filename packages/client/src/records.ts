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

/** Settings for answers, in addition to those of the chatbot record. */
export interface Answering {
  /** Whether a question-and-answer pair with the same question answers word for word, without a language model. */
  pairs_override: boolean
  /** The model that answers now: the chatbot’s model, or the server default if that is not available. */
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
  /** Whether all citations are valid. */
  verified: boolean
  citations: {
    marker: string
    verified: boolean
    reason: 'source gone' | 'text differs' | null
  }[]
}

/** How the request reaches the server, with the forwarded headers that it trusts. */
export interface Connection {
  /** The address of the connection. */
  peer: string
  /** The address for rate limits: from a trusted proxy, otherwise the peer. */
  caller: string
  /** The address from a proxy, trusted or not. */
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
  /** Shown only once. */
  token: string
}

export interface CreatedWebhook {
  uuid: string
  url: string
  events: WebhookEvent[]
  created_at: string
  modified_at: string
  /** The key that signs requests. Shown only once. */
  secret: string
}

export interface DayOfUse {
  /** In UTC, unless the request has another time zone. */
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

/** A cited range with the surrounding text. */
export interface Excerpt {
  before: string
  text: string
  after: string
}

/** One message of exported conversations. */
export interface ExportedMessage {
  session_uuid: string
  uuid: string
  created_at: string
  channel: 'api' | 'share' | 'widget'
  question: string
  answer: string
  finish_reason: FinishReason | ''
  error_message: string
  /** Whether the sources had an answer, if known. */
  answered: boolean | null
  confidence: number | null
  rating: Rating | null
  comment: string | null
  model: string | null
  prompt_tokens: number | null
  completion_tokens: number | null
  /** The cited sources. */
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
  /** Empty during the answer. */
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

/** The public details of a chatbot. */
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
  /** The signed-in user. */
  user: {
    uuid: string
    name: string
  } | null
  /** Whether no account exists yet. */
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

/** A passage of a source. */
export interface SourcePassage {
  id: number
  /** The hash of the revision that contains the passage. */
  revision: string
  /** In UTF-16 code units of that revision. */
  start: number
  end: number
  text: string
  /** The page, for documents with pages. */
  page: number | null
  /** The page URL, for sources that are sites. */
  page_url: string
}

export interface Success {
  success: true
}

export interface Token {
  uuid: string
  name: string
  /** The first characters of the token. */
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
  /** The newest session with this question. */
  session_uuid: string
  /** The messages with this question. */
  uuids: string[]
}

export interface Usage {
  /** In UTC. */
  month: string
  /** The number of answers by language models. */
  messages: number
  prompt_tokens: number
  completion_tokens: number
  total_tokens: number
  /** Null: no limit. */
  token_budget: number | null
}

/** The storage use of an account. */
export interface Use {
  /** The number of chatbots, sources, sessions and messages. */
  rows: number
  /** Null: no limit. */
  max_rows: number | null
  /** The size of uploaded files, texts of sources, and messages. */
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

/** A visitor’s session with its secret. */
export interface Visit {
  uuid: string
  /** The secret for this session only. Shown only once. */
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
  /** The message or source of the event, or the webhook for a test. */
  subject_uuid: string
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  response_status: number | null
  error: string
  next_attempt_at: string | null
  created_at: string
  modified_at: string
}

/** The widget settings of a chatbot. */
export interface Widget {
  /** Sites that may embed the widget. An empty list allows any site. */
  allowed_origins: string[]
  color: string
  theme: 'auto' | 'light' | 'dark'
  position: 'right' | 'left'
  /** If empty, the chatbot’s name. */
  title: string
  greeting: string
  suggested_questions: string[]
}
