import { UuidParams } from '@docent/contract/field.ts'
import { NewSession, Session, SessionsQuery } from '@docent/contract/sessions.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { errors } from '../../http/errors/error-responses.ts'
import { addDeletionRoutes } from '../../http/lists/deletion-routes.ts'
import { sendList } from '../../http/lists/send-list.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { toNewSessionRecord, toSessionRecord } from './sessions.records.ts'
import {
  createSession,
  deleteSessions,
  findOwnedSessions,
  getOwnedSession,
  readSessions,
} from './sessions.store.ts'

const writeSession = jsonWriter(Session)

export function sessionRoutes(services: Services): FastifyPluginAsyncZod {
  const { db, quotas } = services

  return async (app) => {
    app.post('/chatbot/:uuid/session/create', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Create a session',
        params: UuidParams,
        response: { 200: NewSession, ...errors(404, 409) },
      },
      handler: async ({ caller, params }) => {
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        await quotas.claim(caller.userId, { rows: 1, bytes: 0 })
        return toNewSessionRecord(await createSession(db, chatbot))
      },
    })

    app.get('/session/:uuid', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a session',
        params: UuidParams,
        response: { 200: Session, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        toSessionRecord(await getOwnedSession(db, caller.userId, params.uuid)),
    })

    app.get('/chatbot/:uuid/sessions', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch the sessions of a chatbot',
        params: UuidParams,
        querystring: SessionsQuery,
        response: { 200: Session.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const chatbot = await getOwnedChatbot(db, caller.userId, params.uuid)
        const { start_timestamp: from, end_timestamp: until, ...page } = query
        return sendList(services, reply, {
          reader: readSessions(db, chatbot.id, { from, until }),
          ownerId: caller.userId,
          ...page,
          write: (session) => writeSession(toSessionRecord(session)),
          confirm: () => getOwnedChatbot(db, caller.userId, chatbot.id),
        })
      },
    })

    addDeletionRoutes(app, {
      noun: 'session',
      one: { path: '/session/:uuid/delete', summary: 'Delete a session' },
      several: {
        path: '/sessions/delete',
        summary: 'Delete several sessions',
        description: 'Deletes all of them or none.',
      },
      find: (ownerId, ids) => findOwnedSessions(db, ownerId, ids),
      remove: (sessions) => deleteSessions(db, sessions),
    })
  }
}
