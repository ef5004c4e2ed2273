import type { FinishReason } from '@docent/contract/messages.ts'
import type { SourceStatus, SourceType } from '@docent/contract/sources.ts'
import type { Channel } from '@docent/contract/visitors.ts'
import type { DeliveryEvent, DeliveryStatus } from '@docent/contract/webhooks.ts'
import type { Generated, Selectable } from 'kysely'

/** Columns carry the names of the wire format, so that a row needs no translation layer. */
export interface Tables {
  users: {
    id: string
    name: string
    /** As `store/passwords.ts` writes it. Null: this user has tokens only and cannot sign in. */
    password: string | null
    created_at: number
    modified_at: number
  }
  /** Who is signed in to the console, by the SHA-256 of the cookie. */
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
    /** The first characters, so that a list tells tokens apart. */
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
    /** Null follows the server's default: of an earlier version, until the next start stores it. */
    model: string | null
    /** JSON: the settings beside the model. */
    settings: string
    /** JSON: how it answers, as `store/answering-settings.ts` reads it. */
    answering: Generated<string>
    /** How many tokens it may use in a month. Null: as many as it likes. */
    token_budget: number | null
    created_at: number
    modified_at: number
  }
  /** How a chatbot looks to visitors, as JSON. None: as by default. */
  widgets: { chatbot_id: string; settings: string }
  sources: {
    id: string
    chatbot_id: string
    owner_id: string
    type: SourceType
    title: string
    /** 1 once a person has chosen the title: what is found in the document no longer replaces it. */
    title_chosen: Generated<number>
    status: SourceStatus
    file_name: Generated<string>
    file_size: Generated<number>
    tokens: Generated<number>
    /** JSON: question and answer, or the URL, and what became of it. */
    meta: Generated<string>
    attempts: Generated<number>
    /** The worker's claim: what holds an older one has lost the source. */
    claim_id: string | null
    /** When a worker may take it up: now, after a back-off, or when its worker's lease ends. Null: nothing to do. */
    due_at: number | null
    created_at: number
    modified_at: number
  }
  source_files: { source_id: string; content: Uint8Array }
  /** The extracted text of a source as it once was, for citations to point into. */
  revisions: {
    source_id: string
    hash: string
    /** Empty if it is too long for a row, and stands in pieces. */
    text: string
    /** JSON: where each page begins in the text. Null for a document without pages. */
    pages: string | null
    created_at: number
  }
  /** The text of a long revision, compressed; each begins where the one before it ends. */
  revision_pieces: { source_id: string; hash: string; starts_at: number; packed: Uint8Array }
  /** The pages of a source that is a whole site. */
  source_pages: {
    source_id: string
    url: string
    title: string
    /** The hash of the revision that its text is. */
    revision: string
    tokens: number
    file_size: number
    fetched_at: number
  }
  /**
   * What was found at each address that was asked, so that what has not changed need not be fetched again. Of a site,
   * several may have the same text, and one may stand for a page that calls itself by another address.
   */
  source_visits: {
    source_id: string
    url: string
    etag: string
    last_modified: string
    /** JSON: the addresses it links to. */
    links: string
    /** Where it sends its readers at once; empty if nowhere. */
    leads_to: string
    /** The hash of its text; empty if it has none for us. */
    revision: string
    /** The page that its text was stored as; empty if another one has the same text, or the source is one page. */
    page_url: string
    /** What read it: what another one would make of it is not known. */
    reader: string
  }
  /** The sitemaps of a source that is a whole site. */
  source_sitemaps: {
    source_id: string
    url: string
    etag: string
    last_modified: string
    /** JSON: the sitemaps and the pages that it lists. */
    lists: string
  }
  passages: {
    id: Generated<number>
    chatbot_id: string
    source_id: string
    /** The hash of the revision it is a piece of. */
    revision: string
    /** The page it stands on, where its source is a site; otherwise empty. */
    page_url: Generated<string>
    /** What was put in place together with it, and will be taken away together. */
    build: string
    position: number
    /** Character range in the revision's text (UTF-16 units, as JavaScript counts). */
    starts_at: number
    ends_at: number
    /** The blanks between it and the passage before it, so that the two can be joined exactly. */
    gap: Generated<string>
    /** What leads to it: its document's title and its headings, or a pair's question. */
    lead: Generated<string>
    text: string
    /** Analyzed: a line for the lead, and one for each sentence. */
    words: string
    /** By which analysis the words were made. */
    analysis: Generated<number>
    /** Counted from 1. Null for a document without pages. */
    page: number | null
  }
  passage_counts: {
    chatbot_id: string
    passages: number
    /** Of their words, in characters. */
    length: number
  }
  /** How many passages hold a word, with its chatbot's mark before it. */
  passage_terms: { term: string; doc: number; cnt: number }
  embedders: { id: Generated<number>; name: string; dimensions: number; is_active: number }
  /** A byte for each dimension. */
  passage_vectors: { passage_id: number; embedder_id: number; vector: Uint8Array }
  /** Builds that no search may find: not yet complete, or replaced and not yet gone. */
  hidden_builds: {
    build: string
    chatbot_id: string
    source_id: string
    page_url: string
    /** The claim under which it grows. Null, or not the source's claim any more: nobody will complete it. */
    claim_id: string | null
  }
  sessions: { id: string; chatbot_id: string; created_at: number; modified_at: number }
  /** Sessions of people without a token; each is reached by a secret of its own, of which this is the SHA-256. */
  visitors: { session_id: string; hash: string; channel: Channel }
  messages: {
    id: string
    session_id: string
    query: string
    response: Generated<string>
    /** Empty while the answer runs. */
    finish_reason: Generated<FinishReason | ''>
    error_message: Generated<string>
    /** JSON, keyed by marker. */
    citations: Generated<string>
    meta: Generated<string>
    feedback: string | null
    created_at: number
    modified_at: number
  }
  /** Questions without an answer that the owner has dealt with. */
  settled_questions: { message_id: string; settled_at: number }
  /** The growth of an answer that runs; folded into its message when it ends. */
  message_parts: { message_id: string; position: number; text: string }
  /** One row for each accepted message that a rate limit still counts. */
  rate_hits: { bucket: string; hit_at: number }
  /** By its key a question that is sent again is known to be the same one. */
  question_keys: { session_id: string; key: string; message_id: string }
  /** What a chatbot's answers have cost, by month (UTC, 2026-11). */
  token_usage: {
    chatbot_id: string
    month: string
    messages: number
    prompt_tokens: number
    completion_tokens: number
  }
  /** What each answer that runs may cost, of a chatbot with a budget. */
  token_reservations: { message_id: string; chatbot_id: string; tokens: number }
  /**
   * Messages by the quarter hour (UTC, counted from 1970) in which they were asked. Triggers keep it. On PostgreSQL each
   * quarter hour has several slots, so that writers seldom wait for each other; a slot may be below zero, their sum is not.
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
  /** PostgreSQL only, as are the next four: who is there. */
  nodes: { id: string; alive_until: number }
  /** Who gives the answer that a message waits for. */
  running_answers: { message_id: string; node_id: string; stop_requested: Generated<boolean> }
  /** Requests of a key in a span of time, for limits that all nodes share. */
  request_counts: { key: string; span: number; requests: number; ends_at: number }
  /** Work that one node at a time does. */
  duties: { name: string; node_id: string; held_until: number }
  shared_values: { name: string; value: string }
  /** What data of an earlier version goes on doing for one version. */
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
  /** What is to be told to a webhook, made by triggers or as a test; afterwards the log of it. */
  webhook_deliveries: {
    id: string
    webhook_id: string
    event: DeliveryEvent
    /** The message or source that it is about; of a test, the webhook itself. */
    subject_id: string
    status: Generated<DeliveryStatus>
    attempts: Generated<number>
    /** What the webhook answered last. */
    response_status: number | null
    error: Generated<string>
    /** When it is tried next. Null: no more. */
    due_at: number | null
    created_at: number
    modified_at: number
  }
}

export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
