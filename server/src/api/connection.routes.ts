import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { errors } from './common.schemas.ts'

export const ConnectionRecord = z.object({
  peer: z.string().meta({
    description: 'The address that the connection comes from.',
    example: '10.1.0.2',
  }),
  caller: z.string().meta({
    description: 'The address that limits count: what a trusted proxy says, else the peer.',
    example: '203.0.113.7',
  }),
  forwarded_for: z
    .string()
    .nullable()
    .meta({ description: 'What a proxy says, trusted or not.', example: '203.0.113.7' }),
  protocol: z.string().meta({ example: 'https' }),
  host: z.string().meta({ example: 'chat.example.org' }),
})

/** How a call arrives, so that "docent doctor" can tell whether the proxies before the server are set up right. */
export function connectionRoutes(): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/connection', {
      config: { scope: 'read' },
      schema: {
        summary: 'See how this call arrives at the server',
        tags: ['Account'],
        response: {
          200: ConnectionRecord,
          ...errors(),
        },
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
