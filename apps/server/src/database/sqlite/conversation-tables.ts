/** Tables that every question writes. Writes to them change no other table. */
export const CONVERSATION_TABLES = [
  'sessions',
  'visitors',
  'messages',
  'message_parts',
  'settled_questions',
  'question_keys',
  'rate_hits',
  'token_usage',
  'token_reservations',
  'message_totals',
  'running_answers',
  'webhook_deliveries',
]

const NAMES = CONVERSATION_TABLES.join('|')
const NAMED = new RegExp(`\\b(?:${NAMES})\\b`)
const WRITTEN = new RegExp(`^(?:select |(?:insert into|update|delete from) "(?:${NAMES})")`)

/** Whether new messages can change the result of this query. */
export function readsConversations(sql: string): boolean {
  return NAMED.test(sql)
}

/** Whether this statement changes only conversation tables. A SELECT inside a unit changes nothing. */
export function writesConversations(sql: string): boolean {
  return WRITTEN.test(sql)
}
