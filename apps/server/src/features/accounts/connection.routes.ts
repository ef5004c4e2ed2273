import { Connection } from '@docent/contract/account.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'

/** Shows how a request reaches the server, so that "docent doctor" can check the proxies in front of it. */
export function connectionRoutes(): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/connection', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch how the request reaches the server',
        response: { 200: Connection, ...errors() },
      },
      handler: async (request) => ({
        peer: request.socket.remoteAddress ?? '',
        caller: request.ip,
        forwarded_for: [request.headers['x-forwarded-for'] ?? []].flat().join(', ') || null,
        protocol: String(request.headers['x-forwarded-proto'] ?? request.protocol),
        host: request.headers.host ?? '',
      }),
    })
  }
}
