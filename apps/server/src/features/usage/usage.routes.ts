import { Success, UuidParams } from '@docent/contract/field.ts'
import { Budget, Usage } from '@docent/contract/insights.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { getUsage, monthOf, setTokenBudget } from './usage.store.ts'

/** The token use and token budget of a chatbot. */
export function usageRoutes({ db }: Services): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/chatbot/:uuid/usage', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the token use of this month',
        params: UuidParams,
        response: { 200: Usage, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const usage = await getUsage(db, chatbot, monthOf(Date.now()))
        const total_tokens = usage.prompt_tokens + usage.completion_tokens
        return { ...usage, total_tokens, token_budget: chatbot.token_budget }
      },
    })

    app.post('/chatbot/:uuid/usage/budget', {
      config: { scope: 'write' },
      schema: {
        summary: 'Set the monthly token budget of a chatbot',
        description: 'At the limit, questions are rejected with 429 until the next month (UTC).',
        params: UuidParams,
        body: Budget,
        response: { 200: Success, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        await setTokenBudget(db, chatbot, body.token_budget)
        return { success: true as const }
      },
    })
  }
}
