import { z } from 'zod'
import { PageQuery, TimestampOut, UuidOut } from './field.ts'
import { DELIVERY_EVENTS, WEBHOOK_EVENTS } from './webhook-events.ts'

export const WebhookEvent = z.enum(WEBHOOK_EVENTS).meta({ title: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

/** Owners send tests by hand, so webhooks do not subscribe to them. */
export const DeliveryEvent = z.enum(DELIVERY_EVENTS).meta({ title: 'DeliveryEvent' })
export type DeliveryEvent = z.infer<typeof DeliveryEvent>

export const DeliveryStatus = z.enum(['pending', 'delivered', 'failed'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>

const Events = z.array(WebhookEvent).min(1)

export const NewWebhook = z
  .object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2_000)
      .meta({ example: 'https://example.org/hooks/docent' }),
    events: Events.optional().meta({
      description: 'The events to send (default: all).',
      example: ['message.finished'],
    }),
  })
  .meta({ title: 'NewWebhook' })
export type NewWebhook = z.infer<typeof NewWebhook>

export const Webhook = z
  .object({
    uuid: UuidOut,
    url: z.string().meta({ example: 'https://example.org/hooks/docent' }),
    events: Events.meta({ example: ['message.finished'] }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const CreatedWebhook = Webhook.extend({
  secret: z.string().meta({
    description: 'The key that signs requests. Shown only once.',
    example: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
  }),
}).meta({ id: 'CreatedWebhook' })
export type CreatedWebhook = z.infer<typeof CreatedWebhook>

export const WebhookDelivery = z
  .object({
    uuid: UuidOut,
    event: DeliveryEvent.meta({ example: 'message.finished' }),
    subject_uuid: UuidOut.meta({
      description: 'The message or source of the event, or the webhook for a test.',
    }),
    status: DeliveryStatus.meta({ example: 'delivered' }),
    attempts: z.int().meta({ example: 1 }),
    response_status: z.int().nullable().meta({ example: 200 }),
    error: z.string().meta({ example: '' }),
    next_attempt_at: TimestampOut.nullable(),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const DeliveriesQuery = PageQuery.extend({
  order: z
    .enum(['oldest', 'newest'])
    .default('oldest')
    .meta({ description: 'The order of the list.', example: 'newest' }),
})
