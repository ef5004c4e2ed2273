import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'

/** One log line and one count for each request; never its token or its text. While stopping, no new work begins. */
export function observeRequests(app: FastifyInstance, { metrics, stopping }: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (stopping.aborted && request.url !== '/healthz' && request.url !== '/readyz') {
      throw new AppError('unavailable', 'The server is stopping.', {
        headers: { 'retry-after': '5' },
      })
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const { method } = request
    const status = reply.raw.statusCode
    const ms = Math.round(reply.elapsedTime * 10) / 10
    metrics.requestFinished(method, route, status, reply.elapsedTime / 1000)
    request.log.info({ method, route, status, ms }, 'request')
  })
}
