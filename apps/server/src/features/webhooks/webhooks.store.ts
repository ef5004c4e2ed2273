import { randomBytes } from 'node:crypto'
import type { WebhookEvent } from '@docent/contract/webhooks.ts'
import type { Database } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { fromNow } from '../../database/dialect.ts'
import { newId } from '../../database/rows/ids.ts'
import { listReader } from '../../database/rows/list-reader.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { AppError, notFound } from '../../errors.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'
import { DELIVERIES, eraseMost } from '../owners/erase-rows.store.ts'
import { insertForChatbot } from '../owners/insert-for-chatbot.store.ts'

export type Webhook = Row<'webhooks'>
export type Delivery = Row<'webhook_deliveries'>

const MOST_WEBHOOKS = 20
const KEEP_LOG_MS = 30 * 86_400_000

export async function createWebhook(
  db: Database,
  chatbot: Owned<Chatbot>,
  { url, events }: { url: string; events: readonly WebhookEvent[] },
): Promise<Owned<Webhook>> {
  const there = await listWebhooks(db, chatbot)
  if (there.length >= MOST_WEBHOOKS) {
    throw new AppError(
      'conflict',
      `A chatbot can have at most ${MOST_WEBHOOKS} webhooks. Delete one first.`,
    )
  }
  const now = Date.now()
  const webhook: Webhook = {
    id: newId(),
    chatbot_id: chatbot.id,
    url,
    events: [...new Set(events)].join(','),
    secret: `whsec_${randomBytes(24).toString('base64')}`,
    created_at: now,
    modified_at: now,
  }
  await insertForChatbot(db, chatbot.id, [db.insertInto('webhooks').values(webhook).compile()])
  return asOwned(webhook)
}

export function listWebhooks(db: Database, chatbot: Owned<Chatbot>): Promise<Webhook[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('chatbot_id', '=', chatbot.id)
    .orderBy('id')
    .execute()
}

export async function getOwnedWebhook(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Webhook>> {
  const webhook = await db
    .selectFrom('webhooks')
    .innerJoin('chatbots', 'chatbots.id', 'webhooks.chatbot_id')
    .selectAll('webhooks')
    .where('webhooks.id', '=', id)
    .where('chatbots.owner_id', '=', ownerId)
    .executeTakeFirstOrThrow(() => notFound('webhook'))
  return asOwned(webhook)
}

export async function deleteWebhook(db: Database, webhook: Owned<Webhook>): Promise<void> {
  await eraseMost(db, [DELIVERIES], [webhook.id])
  await db.deleteFrom('webhooks').where('id', '=', webhook.id).execute()
}

/** Creates a delivery that is due at once. Its subject is the webhook itself. */
export async function createTestDelivery(db: Database, webhook: Owned<Webhook>): Promise<Delivery> {
  const now = Date.now()
  const test = {
    id: newId(),
    webhook_id: webhook.id,
    event: 'webhook.test' as const,
    subject_id: webhook.id,
    due_at: fromNow(db),
    created_at: now,
    modified_at: now,
  }
  try {
    return await db
      .insertInto('webhook_deliveries')
      .values(test)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound('webhook')
    throw error
  }
}

const LISTED = { parent: 'webhook_id', texts: ['error'] }

export const readDeliveries = {
  oldest: listReader('webhook_deliveries', LISTED),
  newest: listReader('webhook_deliveries', { ...LISTED, isNewestFirst: true }),
}

export async function forgetOldDeliveries(db: Database): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('due_at', 'is', null)
    .where('created_at', '<', Date.now() - KEEP_LOG_MS)
    .execute()
}
