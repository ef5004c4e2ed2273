import type { FastifyInstance } from 'fastify'

/**
 * The defaults of every response: browsers must not render it, frame it or cache it. Pages and their files set their
 * own headers.
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
