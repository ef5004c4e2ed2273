import type { DeliveryEvent } from '@docent/contract/webhooks.ts'
import type { Database } from '../../database/database.ts'
import { metaOf, type Source } from '../sources/sources.store.ts'
import type { Delivery } from './webhooks.store.ts'

type Describe = (db: Database, id: string) => Promise<object | undefined>

const DESCRIPTIONS: Record<DeliveryEvent, Describe> = {
  'message.finished': describeMessage,
  'source.finished': describeSource,
  'source.failed': describeSource,
  'webhook.test': describeWebhook,
}

/** Builds the payload: the record as it is now, or the fact that it was deleted. */
export async function describeEvent(db: Database, delivery: Delivery): Promise<object> {
  const data = await DESCRIPTIONS[delivery.event](db, delivery.subject_id)
  return {
    type: delivery.event,
    timestamp: new Date(delivery.created_at).toISOString(),
    data: data ?? { uuid: delivery.subject_id, deleted: true },
  }
}

async function describeMessage(db: Database, id: string): Promise<object | undefined> {
  const message = await db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .selectAll('messages')
    .select('sessions.chatbot_id')
    .where('messages.id', '=', id)
    .executeTakeFirst()
  return (
    message && {
      uuid: message.id,
      chatbot_uuid: message.chatbot_id,
      session_uuid: message.session_id,
      query: message.query,
      response: message.response,
      finish_reason: message.finish_reason,
      error_message: message.error_message,
      cite_data_json: message.citations,
      meta_json: message.meta,
    }
  )
}

async function describeSource(db: Database, id: string): Promise<object | undefined> {
  const source: Source | undefined = await db
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  const { error, error_code, error_params } = source ? metaOf(source) : {}
  return (
    source && {
      uuid: source.id,
      chatbot_uuid: source.chatbot_id,
      title: source.title,
      type: source.type,
      status: source.status,
      tokens: source.tokens,
      error: error ?? '',
      ...(error_code !== undefined && { error_code, error_params }),
    }
  )
}

async function describeWebhook(db: Database, id: string): Promise<object | undefined> {
  const webhook = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return (
    webhook && {
      uuid: webhook.id,
      chatbot_uuid: webhook.chatbot_id,
      events: webhook.events.split(','),
    }
  )
}
