import {
  Conversation,
  ConversationsQuery,
  ExportedConversations,
  ExportQuery,
} from '@docent/contract/conversations.ts'
import { Success, UuidParams } from '@docent/contract/field.ts'
import { DayOfUse, DaysQuery, Settling, UnansweredQuestion } from '@docent/contract/insights.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import { requireAll, sendPage } from '../../http/lists/page-list.ts'
import { signalOf } from '../../http/streams/request-signal.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { findOwnedMessages } from '../messages/messages.store.ts'
import { DAY_MS, listDaysOfUse, QUARTER_MS } from '../usage/days-of-use.store.ts'
import { listConversations } from './conversations.store.ts'
import { listUnanswered, settleQuestions, unsettleQuestions } from './insights.store.ts'
import { sendConversations, wordsOf } from './send-conversations.ts'

const MINUTE_MS = 60_000
/** Reports for owners: conversations, unanswered questions and daily use. */
export function insightRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, analytics } = services

  return async (app) => {
    app.get('/chatbot/:uuid/conversations', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the conversations of a chatbot',
        description: 'Returns the sessions with messages, newest first.',
        params: UuidParams,
        querystring: ConversationsQuery,
        response: { 200: Conversation.array(), ...errors(404, 422, 504) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const wanted = wordsOf(query)
        const signal = signalOf(reply)
        const find = (page: typeof wanted) =>
          analytics.run(caller.userId, signal, (db) => listConversations(db, chatbot, page))
        const list = await sendPage(request, reply, wanted, find)
        return list.map(({ id, created_at, modified_at, channel, ...counts }) => ({
          uuid: id,
          created_at: timestamp(created_at),
          modified_at: timestamp(modified_at),
          channel: channel ?? ('api' as const),
          ...counts,
        }))
      },
    })

    app.get('/chatbot/:uuid/conversations/export', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the conversations of a chatbot as a file',
        description:
          'Contains every message of the matching conversations. The newest conversation comes first, and its oldest message leads.',
        params: UuidParams,
        querystring: ExportQuery,
        response: { 200: ExportedConversations, ...errors(404, 422, 504) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        await sendConversations(services, reply, chatbot, query)
        return reply
      },
    })

    app.get('/chatbot/:uuid/unanswered', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch unanswered questions',
        description:
          'Questions without an answer in the sources, or with an answer rated down. Equal questions are combined, the most frequent first.',
        params: UuidParams,
        response: { 200: UnansweredQuestion.array(), ...errors(404, 504) },
      },
      handler: async ({ caller, params }, reply) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const list = await analytics.run(caller.userId, signalOf(reply), (db) =>
          listUnanswered(db, chatbot),
        )
        return list.map(({ question, count, last_asked_at, session_id, ids }) => ({
          question,
          count,
          last_asked_at: timestamp(last_asked_at),
          session_uuid: session_id,
          uuids: JSON.parse(ids) as string[],
        }))
      },
    })

    app.post('/messages/settle', {
      config: { scope: 'write' },
      schema: {
        summary: 'Remove questions from the unanswered list',
        description: 'Can also put them back. Changes all of them or none.',
        body: Settling,
        response: { 200: Success, ...errors(400, 413, 415, 422) },
      },
      handler: async ({ caller, body }) => {
        const find = (ids: string[]) => findOwnedMessages(db, caller.userId, ids)
        const messages = await requireAll(body.uuids, 'message', find)
        await (body.settled ? settleQuestions : unsettleQuestions)(db, messages)
        return { success: true as const }
      },
    })

    app.get('/chatbot/:uuid/usage/days', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the daily use of a chatbot',
        description:
          'Days are in the requested time zone, or in UTC. Days without questions are left out.',
        params: UuidParams,
        querystring: DaysQuery,
        response: { 200: DayOfUse.array(), ...errors(404, 422, 504) },
      },
      handler: async ({ caller, params, query: { days, utc_offset } }, reply) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const aheadOfUtc = Math.round((utc_offset * MINUTE_MS) / QUARTER_MS) * QUARTER_MS
        const today = Math.floor((Date.now() + aheadOfUtc) / DAY_MS) * DAY_MS - aheadOfUtc
        const span = { since: today - (days - 1) * DAY_MS, aheadOfUtc }
        return analytics.run(caller.userId, signalOf(reply), (db) =>
          listDaysOfUse(db, chatbot, span),
        )
      },
    })
  }
}
