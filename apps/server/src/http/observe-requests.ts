import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'

/**
 * One log line and one count for each request; never its token or its text. A read that went well changes nothing, and
 * its line would cost it a seventh: it is for those who debug. While stopping, no new work begins, and of HTTP/1.1 every
 * request has to say whom it is for.
 */
export function observeRequests(app: FastifyInstance, { log, metrics, stopping }: Services): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const { url, headers, raw } = request
    if (stopping.aborted && url !== '/healthz' && url !== '/readyz')
      done(new AppError('unavailable', 'The server is stopping.', RETRY_SOON))
    else if (headers.host === undefined && raw.httpVersion === '1.1')
      done(new AppError('bad_request', 'The request has no Host header.'))
    else done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const status = reply.raw.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    metrics.requestFinished(method, route, status, ms / 1000)
    const level = method === 'GET' && status < 400 ? 'debug' : 'info'
    log[level]({ reqId: request.id, method, route, status, ms }, 'request')
    done()
  })
}

const RETRY_SOON = { headers: { 'retry-after': '5' } }
