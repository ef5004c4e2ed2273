import type { FastifyInstance } from 'fastify'

/**
 * What every reply says unless it says otherwise: it is no page, and no browser is to make one of it, show it in a
 * frame, or keep it. The pages and their files have policies of their own.
 */
export function sendSafeHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
      .header('cache-control', 'no-store')
    done()
  })
}
