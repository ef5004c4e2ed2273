/** The maximum clock difference between sender and receiver. */
const TOLERANCE_MS = 300_000

/** The request headers, as `Headers` or as Node's object. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Verifies that a webhook request comes from your server and is recent. Pass the `body` exactly as it arrived.
 *
 * @example
 * ```ts
 * import { verifyWebhook } from '@docent/client'
 *
 * async function receive(request: Request): Promise<Response> {
 *   const body = await request.text()
 *   const isGenuine = await verifyWebhook('whsec_…', request.headers, body)
 *   if (!isGenuine) return new Response('', { status: 401 })
 *   console.log(JSON.parse(body).type)
 *   return new Response('')
 * }
 * ```
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string,
): Promise<boolean> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!(Math.abs(Date.now() - Number(timestamp) * 1000) <= TOLERANCE_MS)) return false
  const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey(
    'raw',
    bytes(secret.replace(/^whsec_/, '')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  )
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  for (const signature of signatures) {
    const [, base64] = /^v1,([\w+/]+=*)$/.exec(signature) ?? []
    if (base64 && (await crypto.subtle.verify('HMAC', key, bytes(base64), signed))) return true
  }
  return false
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}
