import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED = 'X-Message-Uuid, X-Session-Uuid, X-Finish-Reason, X-Request-Id, Link, Retry-After'
const METHODS = 'GET, HEAD, POST, DELETE'
const A_DAY = '86400'
// Headers that only proxies may set. A page that sends them would speak for a proxy.
const OF_PROXIES = /^\s*(?:forwarded|via|x-forwarded-.*|x-real-ip)\s*$/i

/** Pages of any origin may call with their own token. Cookies are not involved. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    // Only browsers send an origin, and only they check what a page may read.
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', EXPOSED)
    done()
  })
  // Some proxies and monitors send OPTIONS without being a browser.
  app.options('*', { schema: { hide: true } }, (request, reply) => {
    const wanted = request.headers['access-control-request-headers']
    reply
      .code(204)
      .header('access-control-allow-methods', METHODS)
      .header('access-control-max-age', A_DAY)
    if (wanted !== undefined) {
      const allowed = wanted.split(',').filter((name) => !OF_PROXIES.test(name))
      reply.header('access-control-allow-headers', allowed.join(','))
    }
    reply.send()
  })
}

/**
 * For responses that need no token but are not public. A page of another site may run in a browser on the server's
 * network, although the page's author is not on that network.
 */
export function allowOwnOrigin(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.removeHeader('access-control-allow-origin')
  done()
}
