import type { Message as MessageRecord } from '@docent/contract/messages.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Message } from './messages.store.ts'

export function toMessageRecord(message: Message): MessageRecord {
  return {
    uuid: message.id,
    query: message.query,
    response: message.response,
    finish_reason: message.finish_reason,
    error_message: message.error_message,
    cite_data_json: message.citations,
    meta_json: message.meta,
    feedback_json: message.feedback,
    // Clients of the published service expect these keys. Docent does not have their features.
    labels: [],
    session_documents: [],
    background_pending_tasks: 0,
    detected_frustrations: null,
    ai_context_json: '{}',
    created_at: timestamp(message.created_at),
    modified_at: timestamp(message.modified_at),
  }
}
