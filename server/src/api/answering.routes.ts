import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Services } from '../services.ts'
import { answeringOf, updateAnswering } from '../store/answering-settings.ts'
import { type Chatbot, getOwnedChatbot } from '../store/chatbots.ts'
import { errors, UuidParams } from './common.schemas.ts'

const settings = {
  pairs_override: z.boolean().meta({
    description:
      'A question-and-answer pair that asks the same answers word for word, and no language model is called.',
    example: true,
  }),
}

export const AnsweringRecord = z
  .object({
    ...settings,
    model_used: z.string().meta({
      description:
        'The model that answers now: the chatbot’s own, or the server’s default while that is not available.',
      example: 'docent-quote',
    }),
  })
  .meta({ id: 'Answering' })

export const AnsweringUpdate = z.object(settings).partial()

/** How a chatbot answers: settings that its record has no room for. */
export function answeringRoutes({ db, models }: Services): FastifyPluginAsyncZod {
  const tags = ['Chatbots']
  const toRecord = (chatbot: Chatbot) => ({
    ...answeringOf(chatbot),
    model_used: models.choose(chatbot.model).used,
  })

  return async (app) => {
    app.get('/chatbot/:uuid/answering', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch how a chatbot answers',
        tags,
        params: UuidParams,
        response: { 200: AnsweringRecord, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        toRecord(await getOwnedChatbot(db, caller.userId, params.uuid)),
    })

    app.post('/chatbot/:uuid/answering', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Change how a chatbot answers',
        description: 'Changes only the fields that are named.',
        tags,
        params: UuidParams,
        body: AnsweringUpdate,
        response: { 200: AnsweringRecord, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        return toRecord(await updateAnswering(db, chatbot, body))
      },
    })
  }
}
