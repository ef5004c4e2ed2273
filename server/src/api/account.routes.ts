import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Services } from '../services.ts'
import { getUser } from '../store/users.ts'
import { errors, TimestampOut, UuidOut } from './common.schemas.ts'
import { timestamp } from './timestamp.ts'

export function accountRoutes({ db, models }: Services): FastifyPluginAsyncZod {
  const tags = ['Account']

  return async (app) => {
    app.get('/user', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the user that the token belongs to',
        tags,
        response: {
          200: z.object({
            uuid: UuidOut,
            name: z.string().meta({ example: 'owner' }),
            created_at: TimestampOut,
            modified_at: TimestampOut,
          }),
          ...errors(),
        },
      },
      handler: async ({ caller }) => {
        const user = await getUser(db, caller.userId)
        return {
          uuid: user.id,
          name: user.name,
          created_at: timestamp(user.created_at),
          modified_at: timestamp(user.modified_at),
        }
      },
    })

    app.get('/models', {
      config: { scope: 'read' },
      schema: {
        summary: 'List the models that a chatbot can use',
        tags,
        response: {
          200: z.array(
            z.object({
              name: z.string().meta({ example: 'docent-quote' }),
              provider: z.string().meta({ example: 'docent' }),
              default: z.boolean().meta({ example: true }),
            }),
          ),
          ...errors(),
        },
      },
      handler: async () => models.list(),
    })
  }
}
