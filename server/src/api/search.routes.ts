import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { UuidParams } from '../../../contract/src/field.ts'
import { FoundPassage, SearchQuery } from '../../../contract/src/passages.ts'
import { urlOf } from '../answering/cite-sources.ts'
import { searchPassages } from '../answering/search-passages.ts'
import { wordingsOf } from '../search/follow-up.ts'
import type { FoundPassage as Found } from '../search/found-passage.ts'
import type { Services } from '../services.ts'
import { getOwnedChatbot } from '../store/chatbots.ts'
import { errors } from './error-responses.ts'

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
