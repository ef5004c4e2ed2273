import { Answering, AnsweringUpdate } from '@docent/contract/chatbots.ts'
import { UuidParams } from '@docent/contract/field.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import type { Services } from '../../services.ts'
import { answeringOf, updateAnswering } from './answering-settings.store.ts'
import { type Chatbot, getOwnedChatbot } from './chatbots.store.ts'

/** Settings for answers that are not part of the chatbot record. */
export function answeringRoutes({ db, models }: Services): FastifyPluginAsyncZod {
  const toRecord = (chatbot: Chatbot) => ({
    ...answeringOf(chatbot),
    model_used: models.choose(chatbot.model).used,
  })

  return async (app) => {
    app.get('/chatbot/:uuid/answering', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch how a chatbot answers',
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
        description: 'Changes only the fields in the request.',
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
