import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postToUser } from '../ingestion/fetch-page.ts'
import {
  claimDeliveries,
  isDelivered,
  type Outcome,
  recordOutcome,
} from '../jobs/claim-delivery.ts'
import type { Services } from '../services.ts'
import type { Delivery } from '../store/webhooks.ts'
import { describeEvent } from './describe-event.ts'

const AT_ONCE = 8
const POLL_MS = 500
const TIME_LIMIT_MS = 15_000

/** Tells webhooks what has happened, until the server stops. */
export async function deliverEvents(services: Services, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    let delivered = 0
    try {
      const due = await claimDeliveries(services.db, AT_ONCE)
      await Promise.all(due.map((delivery) => deliver(services, delivery, stopping)))
      delivered = due.length
    } catch (error) {
      services.log.error({ err: error }, 'webhooks failed')
    }
    if (delivered === 0) await sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
  }
}

async function deliver(
  services: Services,
  delivery: Delivery,
  stopping: AbortSignal,
): Promise<void> {
  const { db, log } = services
  const webhook = await db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', delivery.webhook_id)
    .executeTakeFirst()
  if (!webhook) return
  const body = JSON.stringify(await describeEvent(db, delivery))
  const outcome = await post(
    services,
    webhook.url,
    body,
    sign(webhook.secret, delivery.id, body),
    stopping,
  )
  // The server is stopping: the next start takes it up again.
  if (stopping.aborted) return
  await recordOutcome(db, delivery, outcome)
  if (isDelivered(outcome)) log.info({ webhook: webhook.id, status: outcome.status }, 'webhook')
  else log.warn({ webhook: webhook.id, reason: outcome.error }, 'webhook was not told')
}

async function post(
  { config }: Services,
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const { allowPrivateHosts } = config
    const status = await postToUser(url, body, {
      headers,
      allowPrivateHosts,
      signal,
      timeLimitMs: TIME_LIMIT_MS,
    })
    return { status, error: `The webhook answered ${status}.` }
  } catch (error) {
    return { status: undefined, error: (error as Error).message }
  }
}

/** As the Standard Webhooks specification has it, so that receivers can use its libraries. */
export function sign(secret: string, id: string, body: string, now = Date.now()) {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
