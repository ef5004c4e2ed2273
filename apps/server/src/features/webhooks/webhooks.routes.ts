import { Success, UuidParams } from '@docent/contract/field.ts'
import { WEBHOOK_EVENTS } from '@docent/contract/webhook-events.ts'
import {
  CreatedWebhook,
  DeliveriesQuery,
  NewWebhook,
  WebhookDelivery,
  type WebhookEvent,
  Webhook as WebhookRecord,
} from '@docent/contract/webhooks.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import { Throttle } from '../../http/guards/throttle.ts'
import { sendList } from '../../http/lists/send-list.ts'
import { timestamp } from '../../http/timestamp.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import {
  createTestDelivery,
  createWebhook,
  type Delivery,
  deleteWebhook,
  getOwnedWebhook,
  listWebhooks,
  readDeliveries,
  type Webhook,
} from './webhooks.store.ts'

const writeDelivery = jsonWriter(WebhookDelivery)

/** Webhooks that report when an answer or a source of a chatbot is finished. */
export function webhookRoutes(services: Services): FastifyPluginAsyncZod {
  const { db } = services
  const tests = new Throttle(db, { name: 'webhook test', most: 60, windowMs: 60_000 })

  return async (app) => {
    app.post('/chatbot/:uuid/webhook/create', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Create a webhook',
        description:
          'Docent sends events by POST, signed as in the Standard Webhooks specification. It retries with growing pauses until the response has a status of 200 to 299.',
        params: UuidParams,
        body: NewWebhook,
        response: { 200: CreatedWebhook, ...errors(400, 404, 409, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const { url, events = WEBHOOK_EVENTS } = body
        const webhook = await createWebhook(db, chatbot, { url, events })
        return { ...toRecord(webhook), secret: webhook.secret }
      },
    })

    app.get('/chatbot/:uuid/webhooks', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch all webhooks of a chatbot',
        params: UuidParams,
        response: { 200: WebhookRecord.array(), ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        return (await listWebhooks(db, chatbot)).map(toRecord)
      },
    })

    app.get('/webhook/:uuid/deliveries', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the deliveries of a webhook',
        description: 'Kept for 30 days.',
        params: UuidParams,
        querystring: DeliveriesQuery,
        response: { 200: WebhookDelivery.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params } = request
        const webhook = await getOwnedWebhook(db, caller.userId, params.uuid)
        const { order, ...page } = request.query
        return sendList(services, reply, {
          reader: readDeliveries[order](db, webhook.id),
          ownerId: caller.userId,
          ...page,
          write: (delivery) => writeDelivery(toDeliveryRecord(delivery)),
          confirm: () => getOwnedWebhook(db, caller.userId, webhook.id),
        })
      },
    })

    app.post('/webhook/:uuid/test', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Send a test event to a webhook',
        description:
          'Sends a signed event `webhook.test` once. Its result is in the deliveries. Limited to 60 requests a minute.',
        params: UuidParams,
        response: { 200: WebhookDelivery, ...errors(404, 429) },
      },
      handler: async ({ caller, params }) => {
        const webhook = await getOwnedWebhook(db, caller.userId, params.uuid)
        await tests.take(caller.userId)
        return toDeliveryRecord(await createTestDelivery(db, webhook))
      },
    })

    app.post('/webhook/:uuid/delete', {
      config: { scope: 'write' },
      schema: {
        summary: 'Delete a webhook',
        description: 'Cancels its pending deliveries.',
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        await deleteWebhook(db, await getOwnedWebhook(db, caller.userId, params.uuid))
        return { success: true as const }
      },
    })
  }
}

function toRecord({ id, url, events, created_at, modified_at }: Webhook) {
  return {
    uuid: id,
    url,
    events: events.split(',') as WebhookEvent[],
    created_at: timestamp(created_at),
    modified_at: timestamp(modified_at),
  }
}

function toDeliveryRecord(delivery: Delivery): WebhookDelivery {
  return {
    uuid: delivery.id,
    event: delivery.event,
    subject_uuid: delivery.subject_id,
    status: delivery.status,
    attempts: delivery.attempts,
    response_status: delivery.response_status,
    error: delivery.error,
    next_attempt_at: delivery.due_at === null ? null : timestamp(delivery.due_at),
    created_at: timestamp(delivery.created_at),
    modified_at: timestamp(delivery.modified_at),
  }
}
