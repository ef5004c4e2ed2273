import type { Param, Params } from './params.ts'

/** Why a source failed, with the parameters of each code. Every language has a sentence for every code. */
export const FAILURES = {
  answer_too_slow: {},
  asked_too_often: {},
  asks_password: {},
  browser_failed: {},
  certificate_invalid: { reason: 'text' },
  connection_failed: {},
  content_type: { type: 'text' },
  content_type_unknown: {},
  copy_protected: {},
  damaged: {},
  declares_entities: {},
  dns_silent: { host: 'text' },
  empty_with_scripts: {},
  endless_redirects: {},
  file_type: {},
  host_not_found: { host: 'text' },
  leads_away: {},
  leads_elsewhere: { address: 'text' },
  leads_to_sign_in: { address: 'text' },
  locked: {},
  needs_scripts: {},
  nested_too_deep: { most: 'amount' },
  never_ended: { attempts: 'amount' },
  no_contents: {},
  no_page_read: { first: 'failure' },
  no_such_page: { status: 'number' },
  no_text: {},
  no_text_on_site: {},
  no_web_port: { port: 'number' },
  noindex: {},
  not_converted: {},
  not_read: {},
  not_taken_in: {},
  not_url: {},
  not_web_address: {},
  nothing_recognized: {},
  old_office: {},
  own_address: {},
  page_too_large: { megabytes: 'amount' },
  pdf_damaged: {},
  private_address: {},
  reading_too_large: {},
  reading_too_long: {},
  recognition_failed: {},
  robots: {},
  scanned: {},
  scripts_too_large: {},
  scripts_too_long: {},
  site_answered: { status: 'number' },
  site_forbids: {},
  site_trouble: { status: 'number' },
  too_many_parts: { most: 'amount' },
  too_many_redirects: { most: 'amount' },
  too_many_scans: { most: 'amount' },
  too_much_for_one: {},
  too_much_text: { millions: 'amount' },
  unpacks_too_large: {},
} as const satisfies Record<string, Record<string, Param | 'failure'>>

export type FailureCode = keyof typeof FAILURES

export type FailureParams<Code extends FailureCode> = {
  -readonly [Name in keyof (typeof FAILURES)[Code]]: (typeof FAILURES)[Code][Name] extends Param
    ? Params<(typeof FAILURES)[Code]>[Name]
    : Failure
}

/** A source's failure. The code determines its parameters. */
export type Failure = {
  [Code in FailureCode]: keyof FailureParams<Code> extends never
    ? { code: Code; params?: Record<string, never> }
    : { code: Code; params: FailureParams<Code> }
}[FailureCode]

/** Retry information of a temporary failure, in addition to the parameters of its code. */
export interface Attempts {
  /** The number of attempts, if more than one. */
  tried?: number
  /** A later attempt may succeed. */
  again_later?: true
  /** Seconds until the site accepts another request, if it says so. */
  again_seconds?: number
}

/** A failure in the form that is stored and sent: `error_params` of a source. */
export type FailureRecord = { code: string; params?: Record<string, unknown> & Attempts }
