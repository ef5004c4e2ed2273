import { Chatbot as ChatbotRecord, ChatbotUpdate } from '@docent/contract/chatbots.ts'
import { PageQuery, Success, UuidParams } from '@docent/contract/field.ts'
import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { notFound } from '../../errors.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { sendList } from '../../http/lists/send-list.ts'
import { newChatbotWith } from '../../models/model-choice.ts'
import type { Services } from '../../services.ts'
import { requireModel, toChange, toChatbotJson } from './chatbots.records.ts'
import {
  type Chatbot,
  createChatbot,
  deleteChatbot,
  getOwnedChatbot,
  readChatbots,
  updateChatbot,
} from './chatbots.store.ts'

export function chatbotRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, models, quotas } = services
  const toJson = (chatbot: Chatbot) => toChatbotJson(chatbot, models.defaultName)
  const sendJson = (reply: FastifyReply, json: string) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(json)

  return async (app) => {
    app.post('/chatbot/create', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Create a chatbot',
        body: newChatbotWith(models),
        response: { 200: ChatbotRecord, ...errors(400, 409, 413, 415, 422) },
      },
      handler: async ({ caller, body }, reply) => {
        const { model = models.defaultName, settings } = toChange(body)
        const chatbot = { name: body.name, model, settings }
        await quotas.claim(caller.userId, { rows: 1, bytes: 0 })
        return sendJson(reply, toJson(await createChatbot(db, caller.userId, chatbot)))
      },
    })

    app.post('/chatbot/:uuid/update', {
      config: { scope: ['write', 'read'] },
      schema: {
        summary: 'Update a chatbot',
        description: 'Changes only the fields in the request.',
        params: UuidParams,
        body: ChatbotUpdate,
        response: { 200: ChatbotRecord, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }, reply) => {
        const change = toChange(body)
        if (change.model !== undefined && !models.accepts(change.model))
          requireModel(models, body, await getOwnedChatbot(db, caller.userId, params.uuid))
        const chatbot = await updateChatbot(db, caller.userId, params.uuid, change)
        return sendJson(reply, toJson(chatbot))
      },
    })

    app.get('/chatbot/:uuid', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a chatbot',
        params: UuidParams,
        response: { 200: ChatbotRecord, ...errors(404) },
      },
      handler: async ({ caller, params }, reply) =>
        sendJson(reply, toJson(await getOwnedChatbot(db, caller.userId, params.uuid))),
    })

    app.get('/chatbots', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch all chatbots',
        querystring: PageQuery,
        response: { 200: ChatbotRecord.array(), ...errors(422) },
      },
      handler: async (request, reply) => {
        const { caller, query } = request
        return sendList(services, reply, {
          reader: readChatbots(db, caller.userId),
          ownerId: caller.userId,
          ...query,
          write: toJson,
          confirm: async () => {},
        })
      },
    })

    app.delete('/chatbot/:uuid/delete', {
      config: { scope: 'write' },
      schema: {
        summary: 'Delete a chatbot',
        description: 'Also deletes its sources, sessions and messages.',
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        if (!(await deleteChatbot(db, chatbot))) throw notFound('chatbot')
        return { success: true as const }
      },
    })
  }
}
