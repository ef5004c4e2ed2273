import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { postToUser } from '../../ingestion/fetch/fetch-user-url.ts'
import type { Services } from '../../services.ts'
import { describeEvent } from './describe-event.ts'
import {
  type ClaimedDelivery,
  claimDelivery,
  isDelivered,
  type Outcome,
  recordOutcome,
} from './webhook-deliveries.store.ts'
import type { Delivery } from './webhooks.store.ts'

// A receiver that does not respond holds a slot until its timeout, so there must be enough slots for others.
const AT_ONCE = 32
const AT_ONCE_BY_WEBHOOK = 2
const AT_ONCE_BY_OWNER = 8
const POLL_MS = 500
const TIME_LIMIT_MS = 15_000

/** Delivers events to webhooks until the server stops. Slow receivers do not delay other webhooks. */
export async function deliverEvents(services: Services, stopping: AbortSignal): Promise<void> {
  const underWay = new Map<ClaimedDelivery, Promise<void>>()
  while (!stopping.aborted) {
    const delivery = underWay.size < AT_ONCE ? await takeNext(services, underWay.keys()) : undefined
    if (delivery) {
      const told = deliver(services, delivery, stopping)
        .catch((error) => services.log.error({ err: error }, 'webhooks failed'))
        .finally(() => underWay.delete(delivery))
      underWay.set(delivery, told)
    } else {
      const aWhile = sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
      await Promise.race([aWhile, ...underWay.values()])
    }
  }
  await Promise.all(underWay.values())
}

async function takeNext(
  { db, log }: Services,
  underWay: Iterable<ClaimedDelivery>,
): Promise<ClaimedDelivery | undefined> {
  const all = [...underWay]
  const webhooks = idsAtLimit(
    all.map(({ webhook_id }) => webhook_id),
    AT_ONCE_BY_WEBHOOK,
  )
  const owners = idsAtLimit(
    all.map(({ owner_id }) => owner_id ?? ''),
    AT_ONCE_BY_OWNER,
  )
  try {
    return await claimDelivery(db, { webhooks, owners })
  } catch (error) {
    log.error({ err: error }, 'webhooks failed')
    return undefined
  }
}

/** Returns the ids that occur at least this often. */
function idsAtLimit(ids: string[], times: number): string[] {
  const isOften = (id: string) => ids.filter((other) => other === id).length >= times
  return [...new Set(ids)].filter(isOften)
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
  // The next start delivers it again.
  if (stopping.aborted) return
  await recordOutcome(db, delivery, outcome)
  if (isDelivered(outcome)) log.info({ webhook: webhook.id, status: outcome.status }, 'webhook')
  else log.warn({ webhook: webhook.id, reason: outcome.error }, 'webhook delivery failed')
}

async function post(
  { guard }: Services,
  url: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const status = await postToUser(url, body, {
      headers,
      guard,
      signal,
      timeLimitMs: TIME_LIMIT_MS,
    })
    return { status, error: `The webhook responded with status ${status}.` }
  } catch (error) {
    return { status: undefined, error: (error as Error).message }
  }
}

/** Follows the Standard Webhooks specification, so that receivers can use its libraries. */
function sign(secret: string, id: string, body: string, now = Date.now()) {
  const timestamp = String(Math.floor(now / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
