import type { CallOptions, Transport } from './http/send-request.ts'
import { eachOf, listPage, type PageOptions, uuidOf } from './lists.ts'
import type { CreatedWebhook, Success, Webhook, WebhookDelivery } from './records.ts'
import type { Ref } from './request-types.ts'
import type { NewWebhook } from './requests.ts'

/** Addresses that the server notifies when an answer or a source is finished. */
export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Creates a webhook. Only this response contains the secret, which `verifyWebhook` needs to check deliveries. */
  create(chatbot: Ref, webhook: NewWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    const path = `/chatbot/${uuidOf(chatbot)}/webhook/create`
    return this.#transport.json({ method: 'POST', path, json: webhook }, options)
  }

  list(chatbot: Ref, options?: CallOptions): Promise<Webhook[]> {
    const path = `/chatbot/${uuidOf(chatbot)}/webhooks`
    return this.#transport.json({ method: 'GET', path, isRepeatable: true }, options)
  }

  /** Sends `webhook.test` once. Find the result in the deliveries by the returned `uuid`. */
  test(webhook: Ref, options?: CallOptions): Promise<WebhookDelivery> {
    const path = `/webhook/${uuidOf(webhook)}/test`
    return this.#transport.json({ method: 'POST', path }, options)
  }

  /** Lists the deliveries of the last 30 days. */
  deliveries(
    webhook: Ref,
    { order, ...options }: PageOptions & { order?: 'oldest' | 'newest' | undefined } = {},
  ): Promise<WebhookDelivery[]> {
    const path = `/webhook/${uuidOf(webhook)}/deliveries`
    return listPage(this.#transport, path, options, { order })
  }

  eachDelivery(
    webhook: Ref,
    options: PageOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return eachOf(this.#transport, `/webhook/${uuidOf(webhook)}/deliveries`, options)
  }

  delete(webhook: Ref, options?: CallOptions): Promise<Success> {
    const path = `/webhook/${uuidOf(webhook)}/delete`
    return this.#transport.json({ method: 'POST', path }, options)
  }
}
