import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { urlOf } from '../answering/cite-sources.ts'
import { searchPassages } from '../answering/search-passages.ts'
import { wordingsOf } from '../search/follow-up.ts'
import type { FoundPassage as Found } from '../search/found-passage.ts'
import type { Services } from '../services.ts'
import { getOwnedChatbot } from '../store/chatbots.ts'
import { errors, text, UuidOut, UuidParams } from './common.schemas.ts'

export const SearchQuery = z.object({
  query: text({ min: 1, max: 32_000, trim: true }).meta({ example: 'When are you open?' }),
  limit: z.int().min(1).max(50).default(10).meta({ example: 10 }),
  previous_query: text({ min: 1, max: 32_000, trim: true })
    .optional()
    .meta({ description: 'The question before, so that a follow-up is understood.' }),
})

export const FoundPassage = z
  .object({
    data_source_uuid: UuidOut,
    title: z.string().meta({ example: 'Opening hours' }),
    text: z.string().meta({ example: 'We are open daily from 9 to 17.' }),
    score: z.number().meta({ description: 'Higher is better.', example: 21.4 }),
    revision: z.string().meta({ example: 'f2a2bbd85f9b' }),
    start: z.int().meta({ example: 0 }),
    end: z.int().meta({ example: 31 }),
    page: z.int().nullable().meta({ example: null }),
    url: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: 'FoundPassage' })

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
        response: { 200: z.array(FoundPassage), ...errors(400, 404, 413, 415, 422) },
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

export function toFoundPassage(passage: Found): z.infer<typeof FoundPassage> {
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
