import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'

/**
 * Logs and counts each request, but never its token or its text. Successful reads change nothing and are logged for
 * debugging only: a log line would cost a seventh of such a request. While stopping, the server rejects new work.
 * HTTP/1.1 requests must have a Host header.
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
