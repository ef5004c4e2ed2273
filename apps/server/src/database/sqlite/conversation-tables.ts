/** What is written for every question. Nothing that is written to one of them changes any other table. */
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

/** Whether what this query reads may change with a conversation. */
export function readsConversations(sql: string): boolean {
  return NAMED.test(sql)
}

/** Whether this statement changes nothing but conversations. A query among the statements of a write changes nothing. */
export function writesConversations(sql: string): boolean {
  return WRITTEN.test(sql)
}
