import type { ErrorCode, FieldProblem, LimitName } from './error-codes.ts'

interface Meaning {
  meaning: string
  advice: string
}

/** For the reference. */
export const ERROR_MEANINGS: Record<ErrorCode, Meaning> = {
  bad_request: {
    meaning: 'The server cannot read the request: no HTTP, no JSON, not UTF-8, or a broken form.',
    advice: 'Fix how the request is written.',
  },
  unauthorized: {
    meaning: 'The token is missing, unknown, expired or revoked.',
    advice: 'Send `Authorization: Bearer TOKEN` with a valid token.',
  },
  wrong_password: {
    meaning: 'The name or the password is wrong.',
    advice: 'Try again. `docent user password NAME` sets a new password.',
  },
  forbidden: {
    meaning:
      'The token lacks a scope, or a page of another site sent the request. For the first account, the set-up code is missing.',
    advice: 'Use a token with the scope that the message names, or allow the page’s site.',
  },
  host_not_allowed: {
    meaning: 'The server does not know the host name of the request.',
    advice: 'Ask the operator to add the address to `PUBLIC_URL`.',
  },
  not_found: {
    meaning: 'The record or the address does not exist, or the record belongs to another owner.',
    advice: 'Check the uuid and the token.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but not with this method.',
    advice: 'Use a method that the `Allow` header names.',
  },
  timeout: {
    meaning: 'The request arrived too slowly.',
    advice: 'Send it again, over a faster connection.',
  },
  conflict: {
    meaning: 'The request conflicts with the stored state.',
    advice: 'Read the record, then decide. The message says what conflicts.',
  },
  session_full: {
    meaning: 'The visitor’s session has no room for another message.',
    advice: 'Open a new session.',
  },
  quota_reached: {
    meaning: 'The owner has reached a storage quota. `details.limit` names it.',
    advice: 'Delete something, or ask the operator for a larger quota.',
  },
  too_large: {
    meaning: 'The body or the headers are too large.',
    advice: 'Send less in one request.',
  },
  file_too_large: {
    meaning: 'The file is larger than `params.megabytes` MB.',
    advice: 'Split the file, or ask the operator to raise `MAX_UPLOAD_MB`.',
  },
  prompt_too_long: {
    meaning: 'The question and the chatbot’s instruction do not fit the model’s context.',
    advice: 'Shorten the instruction or the question, or choose a model with a larger context.',
  },
  unsupported_type: {
    meaning: 'The body or the uploaded file has a type that the server does not read.',
    advice: 'Send JSON, or a file of a [supported type](file-types.md).',
  },
  old_office: {
    meaning: 'The file is a presentation from an Office before 2007, and LibreOffice is missing.',
    advice: 'Save it as `.pptx`, or ask the operator to install LibreOffice.',
  },
  invalid: {
    meaning: 'Fields of the request are invalid. `details` has an entry for each.',
    advice: 'Fix the named fields.',
  },
  rate_limited: {
    meaning: 'Too many requests, questions or tries.',
    advice: 'Wait for the seconds in `Retry-After`, then try again.',
  },
  too_many_lists: {
    meaning: 'You read too many long lists at once.',
    advice: 'Wait for one to end, or read pages with `limit`.',
  },
  token_budget_spent: {
    meaning: 'The chatbot has used its token budget for this month.',
    advice: 'Raise the budget, or wait for the next month (UTC).',
  },
  token_budget_reserved: {
    meaning: 'Running answers have reserved the rest of the token budget.',
    advice: 'Try again in a few seconds.',
  },
  internal: {
    meaning: 'A bug, or a failure that the server did not expect.',
    advice: 'Give the operator the `request_id`. The log has the details.',
  },
  model_failed: {
    meaning: 'The language model failed. `params.reason` says how.',
    advice: 'Try again. If it fails again, check the provider with `docent doctor`.',
  },
  unavailable: {
    meaning: 'The server is overloaded, stopping, or cannot reach its database.',
    advice: 'Try again after `Retry-After`.',
  },
  disk_full: {
    meaning: 'The disk of the server is full.',
    advice: 'The operator must free space. Acknowledged data is safe.',
  },
  storage_failed: {
    meaning: 'The disk or the database failed. `params.fault` says how.',
    advice: 'The operator finds the cause in the log.',
  },
  took_too_long: {
    meaning: 'The report took too long.',
    advice: 'Ask for fewer days, or use narrower filters.',
  },
}

/** For the reference. */
export const FIELD_PROBLEM_MEANINGS: Record<FieldProblem['type'], string> = {
  required: 'The field is missing.',
  empty: 'The text is empty.',
  too_short: 'The text has fewer than `params.minimum` characters.',
  too_long: 'The text has more than `params.maximum` characters.',
  too_many: 'The list has more than `params.maximum` entries.',
  not_address: 'The text is not an http or https URL.',
  not_password: 'The current password is wrong.',
  not_text: 'The text has characters that cannot be stored, such as NUL.',
}

/** For the reference. */
export const LIMIT_MEANINGS: Record<LimitName, string> = {
  model_answers: 'Too many questions wait for a language model.',
  built_in_answers: 'Too many questions wait for the built-in engine.',
  complete_lists: 'The owner reads too many long lists at once.',
  analytics: 'The owner has too many reports waiting, or a report took too long.',
  uploads: 'Too many uploads are running.',
  stalled_body: 'The body arrives too slowly.',
  unfinished_bodies: 'Too many requests are still sending their bodies.',
  session_size: 'The visitor’s session is full.',
  visitor_reads: 'A visitor’s session or network reads messages too often.',
  owner_rows: 'The owner has reached `MAX_ROWS_PER_OWNER`.',
  owner_bytes: 'The owner has reached `MAX_MB_PER_OWNER`.',
  token_budget: 'The chatbot’s token budget is spent or reserved.',
}
