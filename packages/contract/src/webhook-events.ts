// A separate file without Zod, so that the console does not have to bundle Zod.

export const WEBHOOK_EVENTS = ['message.finished', 'source.finished', 'source.failed'] as const
export const DELIVERY_EVENTS = [...WEBHOOK_EVENTS, 'webhook.test'] as const
