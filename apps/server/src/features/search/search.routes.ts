import { UuidParams } from '@docent/contract/field.ts'
import { FoundPassage, SearchQuery } from '@docent/contract/passages.ts'
import { wordingsOf } from '@docent/text/follow-up.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { toFoundPassage } from './found-passage.record.ts'
import { searchPassages } from './search-passages.ts'

export function searchRoutes(services: Services): FastifyPluginAsyncZod {
  return async (app) => {
    app.post('/chatbot/:uuid/search', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Search the passages of a chatbot',
        description: 'Returns the passages that an answer would use, best first. Stores nothing.',
        params: UuidParams,
        body: SearchQuery,
        response: { 200: FoundPassage.array(), ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(services.db, caller.userId, params.uuid)
        const wordings = wordingsOf(body.query, body.previous_query)
        const found = await searchPassages(services, chatbot, wordings, body.limit)
        return found.map(toFoundPassage)
      },
    })
  }
}
