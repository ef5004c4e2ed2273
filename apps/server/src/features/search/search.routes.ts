import { UuidParams } from '@docent/contract/field.ts'
import { FoundPassage, SearchQuery } from '@docent/contract/passages.ts'
import { urlOf } from '@docent/quote/cite-sources.ts'
import type { FoundPassage as Found } from '@docent/quote/found-passage.ts'
import { wordingsOf } from '@docent/text/follow-up.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { searchPassages } from '../../answering/search-passages.ts'
import { errors } from '../../http/errors/error-responses.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'

export function searchRoutes(services: Services): FastifyPluginAsyncZod {
  return async (app) => {
    app.post('/chatbot/:uuid/search', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Search the passages of a chatbot',
        description: 'What an answer would be made from, best first. Nothing is stored.',
        tags: ['Chatbots'],
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

export function toFoundPassage(passage: Found): FoundPassage {
  return {
    data_source_uuid: passage.source_id,
    title: passage.title,
    text: passage.text,
    score: Math.round(passage.score * 1000) / 1000,
    revision: passage.revision,
    start: passage.starts_at,
    end: passage.ends_at,
    page: passage.page,
    url: urlOf(passage),
  }
}
