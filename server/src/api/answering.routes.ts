import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Answering, AnsweringUpdate } from '../../../contract/src/chatbots.ts'
import { UuidParams } from '../../../contract/src/field.ts'
import type { Services } from '../services.ts'
import { answeringOf, updateAnswering } from '../store/answering-settings.ts'
import { type Chatbot, getOwnedChatbot } from '../store/chatbots.ts'
import { errors } from './error-responses.ts'

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
        response: { 200: Answering, ...errors(404) },
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
        response: { 200: Answering, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        return toRecord(await updateAnswering(db, chatbot, body))
      },
    })
  }
}
