import type { FinishReason } from '@docent/contract/messages.ts'
import type { SourceStatus, SourceType } from '@docent/contract/sources.ts'
import type { Channel } from '@docent/contract/visitors.ts'
import type { DeliveryEvent, DeliveryStatus } from '@docent/contract/webhooks.ts'
import type { Generated, Selectable } from 'kysely'

/** Columns have the names of the API fields, so rows need no translation. */
export interface Tables {
  users: {
    id: string
    name: string
    /** Password hash, see `features/accounts/passwords.ts`. Null: the user has only tokens and cannot sign in. */
    password: string | null
    created_at: number
    modified_at: number
  }
  /** Console sign-ins, by the SHA-256 of the cookie. */
  sign_ins: {
    id: string
    user_id: string
    hash: string
    created_at: number
    expires_at: number
  }
  tokens: {
    id: string
    user_id: string
    name: string
    /** SHA-256 of the token: a random secret needs no slow hash. */
    hash: string
    /** The first characters, so that people can tell tokens apart. */
    hint: string
    /** Comma-separated. */
    scopes: string
    created_at: number
    expires_at: number | null
    last_used_at: number | null
    revoked_at: number | null
  }
  chatbots: {
    id: string
    owner_id: string
    name: string
    /** Null follows the server's default: only in data of an earlier version, until the next start stores a model. */
    model: string | null
    /** JSON: settings other than the model. */
    settings: string
    /** JSON: answering settings, see `features/chatbots/answering-settings.store.ts`. */
    answering: Generated<string>
    /** Tokens per month. Null: no limit. */
    token_budget: number | null
    created_at: number
    modified_at: number
  }
  /** Widget appearance as JSON. No row: defaults. */
  widgets: { chatbot_id: string; settings: string }
  sources: {
    id: string
    chatbot_id: string
    owner_id: string
    type: SourceType
    title: string
    /** 1 if a person chose the title. Titles found in the document then no longer replace it. */
    title_chosen: Generated<number>
    status: SourceStatus
    file_name: Generated<string>
    file_size: Generated<number>
    tokens: Generated<number>
    /** JSON: question and answer, or the URL, and the outcome of reading it. */
    meta: Generated<string>
    attempts: Generated<number>
    /** The worker's claim. A worker with an older claim has lost the source. */
    claim_id: string | null
    /** When a worker may claim the source: now, after a back-off, or when the lease ends. Null: nothing to do. */
    due_at: number | null
    created_at: number
    modified_at: number
  }
  source_files: { source_id: string; content: Uint8Array }
  /** Extracted text of a source at one time. Citations point into it. */
  revisions: {
    source_id: string
    hash: string
    /** Empty if the text is too long for a row and stored in `revision_pieces`. */
    text: string
    /** JSON: the offset of each page in the text. Null for a document without pages. */
    pages: string | null
    created_at: number
  }
  /** The text of a long revision in compressed pieces without gaps. */
  revision_pieces: { source_id: string; hash: string; starts_at: number; packed: Uint8Array }
  /** The pages of a crawled site. */
  source_pages: {
    source_id: string
    url: string
    title: string
    /** The hash of the revision with its text. */
    revision: string
    tokens: number
    file_size: number
    fetched_at: number
  }
  /**
   * The result of each fetched URL, so that unchanged pages are not fetched again. Several URLs of a site may have the
   * same text, and a URL may name another canonical address.
   */
  source_visits: {
    source_id: string
    url: string
    etag: string
    last_modified: string
    /** JSON: outgoing links. */
    links: string
    /** Redirect target. Empty: none. */
    leads_to: string
    /** The hash of its text. Empty: no usable text. */
    revision: string
    /** The page under which its text is stored. Empty if another URL has the same text, or the source is one page. */
    page_url: string
    /**
     * Digest of the code and tools that read it. A changed reader may extract something else, so the page is read
     * again.
     */
    reader: string
  }
  /** The sitemaps of a crawled site. */
  source_sitemaps: {
    source_id: string
    url: string
    etag: string
    last_modified: string
    /** JSON: the sitemaps and pages that it lists. */
    lists: string
  }
  passages: {
    id: Generated<number>
    chatbot_id: string
    source_id: string
    /** The hash of its revision. */
    revision: string
    /** The page of a site. Empty for other sources. */
    page_url: Generated<string>
    /** Passages of one build are shown and removed together. */
    build: string
    position: number
    /** Character range in the revision's text (UTF-16 units, as JavaScript counts). */
    starts_at: number
    ends_at: number
    /** The whitespace before the passage, so that neighboring passages join exactly. */
    gap: Generated<string>
    /** The document's title and headings, or a pair's question. */
    lead: Generated<string>
    text: string
    /** Analyzed words: a line for the lead, then a line for each sentence. */
    words: string
    /** The version of the analysis that produced `words`. */
    analysis: Generated<number>
    /** Counted from 1. Null for a document without pages. */
    page: number | null
  }
  passage_counts: {
    chatbot_id: string
    passages: number
    /** Total length of their words in characters. */
    length: number
  }
  /** How many passages contain a word. Terms carry a prefix for the chatbot. */
  passage_terms: { term: string; doc: number; cnt: number }
  embedders: { id: Generated<number>; name: string; dimensions: number; is_active: number }
  /** One byte per dimension. */
  passage_vectors: { passage_id: number; embedder_id: number; vector: Uint8Array }
  /** Builds that searches ignore: incomplete, or replaced and not yet deleted. */
  hidden_builds: {
    build: string
    chatbot_id: string
    source_id: string
    page_url: string
    /**
     * The claim of the worker that writes it. If it is null or no longer the source's claim, the build is abandoned.
     */
    claim_id: string | null
  }
  sessions: { id: string; chatbot_id: string; created_at: number; modified_at: number }
  /** Sessions of people without a token. Each has a secret, of which this is the SHA-256. */
  visitors: { session_id: string; hash: string; channel: Channel }
  messages: {
    id: string
    session_id: string
    query: string
    response: Generated<string>
    /** Empty during the answer. */
    finish_reason: Generated<FinishReason | ''>
    error_message: Generated<string>
    /** JSON, keyed by marker. */
    citations: Generated<string>
    meta: Generated<string>
    feedback: string | null
    created_at: number
    modified_at: number
  }
  /** Unanswered questions that the owner has handled. */
  settled_questions: { message_id: string; settled_at: number }
  /** Text of a running answer, merged into its message at the end. */
  message_parts: { message_id: string; position: number; text: string }
  /** One row for each accepted message that a rate limit still counts. */
  rate_hits: { bucket: string; hit_at: number }
  /** Idempotency keys: a question sent again with the same key is the same question. */
  question_keys: { session_id: string; key: string; message_id: string }
  /** Token usage of each chatbot by month (UTC, 2026-11). */
  token_usage: {
    chatbot_id: string
    month: string
    messages: number
    prompt_tokens: number
    completion_tokens: number
  }
  /** Maximum tokens of each running answer, for chatbots with a budget. */
  token_reservations: { message_id: string; chatbot_id: string; tokens: number }
  /**
   * Messages per quarter hour (UTC, counted from 1970) of the question. Triggers maintain it. PostgreSQL has several
   * slots per quarter hour, so that writers seldom wait for each other. A slot may be negative, but their sum is not.
   */
  message_totals: {
    chatbot_id: string
    quarter: number
    messages: number
    answered: number
    rated_up: number
    rated_down: number
    tokens: number
  }
  /** PostgreSQL only, like the next four tables: the running nodes. */
  nodes: { id: string; alive_until: number }
  /** The node that generates a message's answer. */
  running_answers: { message_id: string; node_id: string; stop_requested: Generated<boolean> }
  /** Requests per key and time span, for rate limits that all nodes share. */
  request_counts: { key: string; span: number; requests: number; ends_at: number }
  /** Jobs that one node at a time does. */
  duties: { name: string; node_id: string; held_until: number }
  shared_values: { name: string; value: string }
  /** Behavior that data of an earlier version keeps for one version. */
  former_behavior: { name: string; kept_in_version: string }
  webhooks: {
    id: string
    chatbot_id: string
    url: string
    /** Comma-separated. */
    events: string
    secret: string
    created_at: number
    modified_at: number
  }
  /** Webhook deliveries, created by triggers or as a test, and afterwards their log. */
  webhook_deliveries: {
    id: string
    webhook_id: string
    event: DeliveryEvent
    /** The message or source of the event. For a test, the webhook itself. */
    subject_id: string
    status: Generated<DeliveryStatus>
    attempts: Generated<number>
    /** The last response. */
    response_status: number | null
    error: Generated<string>
    /** Time of the next attempt. Null: none. */
    due_at: number | null
    created_at: number
    modified_at: number
  }
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
