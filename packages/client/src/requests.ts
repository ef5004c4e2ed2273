// Generated from docs/openapi.json by "npm run generate".
import type { Rating, Scope, WebhookEvent } from './values.ts'

export interface CrawlSettings {
  max_pages?: number | undefined
  max_depth?: number | undefined
  /** Path prefixes, with * for any characters. */
  include?: string[] | undefined
  /** Path prefixes, with * for any characters. */
  exclude?: string[] | undefined
}

export interface Feedback {
  rating: Rating
  comment?: string | undefined
}

export interface NewAccount {
  name: string
  password: string
  /** The code in the link that the server prints at startup. */
  code: string
}

export interface NewToken {
  name: string
  /** The permissions of the token (default: all). */
  scopes?: Scope[] | undefined
  /** Without it, the token does not expire. */
  expires_in_days?: number | undefined
}

export interface NewWebhook {
  url: string
  /** The events to send (default: all). */
  events?: WebhookEvent[] | undefined
}

export interface QaSource {
  question: string
  answer: string
  /** The http or https URL that citations link to. */
  reference_source_link?: string | null | undefined
}

export interface ReadingChange {
  /** For sites only. */
  crawl?: CrawlSettings | undefined
  /** Refreshes the source after this many hours, or never (null). */
  refresh_hours?: number | null | undefined
}

export interface UrlSource {
  url: string
  /** The http or https URL that citations link to. */
  reference_source_link?: string | null | undefined
  /** Makes one source of the whole site within its origin. `include` and `exclude` are path prefixes, with * for any characters. */
  crawl?: CrawlSettings | undefined
  /** Refreshes the source after this many hours. */
  refresh_hours?: number | undefined
}
