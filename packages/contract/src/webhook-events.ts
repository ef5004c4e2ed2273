// Without Zod, which the console has no other need of.

export const WEBHOOK_EVENTS = ['message.finished', 'source.finished', 'source.failed'] as const
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, 'webhook.test'] as const
