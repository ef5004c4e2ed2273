import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED = 'X-Message-Uuid, X-Session-Uuid, X-Finish-Reason, X-Request-Id, Link, Retry-After'
const METHODS = 'GET, HEAD, POST, DELETE'
const A_DAY = '86400'
// What only proxies have to say about a request; a page that may send it speaks for them.
const OF_PROXIES = /^\s*(?:forwarded|via|x-forwarded-.*|x-real-ip)\s*$/i

/** Pages of any origin may call with a token of their own; no cookie is involved. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('access-control-allow-origin', '*')
    // Only browsers send an origin, and only they ask what a page may see.
    if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', EXPOSED)
    done()
  })
  // Some proxies and monitors ask OPTIONS without being a browser.
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
 * What is told without a token, and not for everybody: a page of another site runs in a browser that may be in a network
 * where the server is reached, and the page's author is not.
 */
export function allowOwnOrigin(
  _request: FastifyRequest,
  reply: FastifyReply,
  done: () => void,
): void {
  reply.removeHeader('access-control-allow-origin')
  done()
}
