// Generated from docs/openapi.json by "npm run generate".
import type { Rating, Scope, WebhookEvent } from './values.ts'

export interface CrawlSettings {
  max_pages?: number | undefined
  max_depth?: number | undefined
  /** Beginnings of paths, with * for anything. */
  include?: string[] | undefined
  /** Beginnings of paths, with * for anything. */
  exclude?: string[] | undefined
}

export interface Feedback {
  rating: Rating
  comment?: string | undefined
}

export interface NewAccount {
  name: string
  password: string
  /** From the link that the server prints at its start. */
  code: string
}

export interface NewToken {
  name: string
  /** What it may do; all by default. */
  scopes?: Scope[] | undefined
  /** Without it the token does not end by itself. */
  expires_in_days?: number | undefined
}

export interface NewWebhook {
  url: string
  /** All of them unless named. */
  events?: WebhookEvent[] | undefined
}

export interface QaSource {
  question: string
  answer: string
  /** Where readers of a citation find it: an http or https URL. */
  reference_source_link?: string | null | undefined
}

export interface ReadingChange {
  /** Only of a site. */
  crawl?: CrawlSettings | undefined
  /** Reads it again after so many hours; null: never by itself. */
  refresh_hours?: number | null | undefined
}

export interface UrlSource {
  url: string
  /** Where readers of a citation find it: an http or https URL. */
  reference_source_link?: string | null | undefined
  /** Makes one source of the whole site, page by page, staying on its origin. `include` and `exclude` are beginnings of paths, with * for anything. */
  crawl?: CrawlSettings | undefined
  /** Reads it again after so many hours. */
  refresh_hours?: number | undefined
}
