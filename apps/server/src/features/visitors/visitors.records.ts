import type { Receipt } from '@docent/contract/messages.ts'
import type { VisitorMessage } from '@docent/contract/visitors.ts'
import { ANSWER_FAILED } from '../../http/errors/error-handler.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Message } from '../messages/messages.store.ts'

export function toVisitorMessage(message: Message): VisitorMessage {
  const cited = JSON.parse(message.citations) as Record<string, { title: string; text: string }>
  const { receipts = {} } = JSON.parse(message.meta) as { receipts?: Record<string, Receipt> }
  const citations = Object.entries(cited).map(([marker, { title, text }]) => {
    const { url = null, page = null } = receipts[marker] ?? {}
    return [marker, { title, text, url, page }] as const
  })
  return {
    uuid: message.id,
    query: message.query,
    response: message.response,
    finish_reason: message.finish_reason,
    error_message: message.error_message === '' ? '' : ANSWER_FAILED,
    citations: Object.fromEntries(citations),
    rating: message.feedback === null ? null : JSON.parse(message.feedback).rating,
    created_at: timestamp(message.created_at),
  }
}
