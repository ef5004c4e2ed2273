import { PageQuery, Success, UuidParams } from '@docent/contract/field.ts'
import {
  CitationCheck,
  Feedback,
  Message,
  Query,
  QuestionHeaders,
  StreamedText,
  StreamQuery,
  Transcript,
  WholeAnswer,
} from '@docent/contract/messages.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ask } from '../../answering/ask.ts'
import { stopAnswer } from '../../answering/live/find-answer.ts'
import { verifyReceipts } from '../../answering/text/verify-receipts.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { addDeletionRoutes } from '../../http/lists/deletion-routes.ts'
import { type ListFormat, sendList } from '../../http/lists/send-list.ts'
import { followAnswer, sendAnswer, waitForAnswer } from '../../http/streams/follow-answer.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { getOwnedSession } from '../sessions/sessions.store.ts'
import { toMessageRecord } from './messages.records.ts'
import {
  deleteMessages,
  findOwnedMessages,
  getOwnedMessage,
  readMessages,
  setFeedback,
} from './messages.store.ts'

const writeMessage = jsonWriter(Message)

const TRANSCRIPT: ListFormat = {
  contentType: 'text/plain; charset=utf-8',
  open: '',
  between: '\n',
  close: '',
}

export function messageRoutes(services: Services): FastifyPluginAsyncZod {
  const { db } = services

  return async (app) => {
    app.post('/session/:uuid/message/stream', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Send a message and stream the answer',
        params: UuidParams,
        headers: QuestionHeaders,
        body: Query,
        response: { 200: StreamedText, ...errors(400, 404, 409, 413, 415, 422, 429, 502) },
      },
      handler: async (request, reply) => {
        const { caller, params, body, headers } = request
        const session = await getOwnedSession(db, caller.userId, params.uuid)
        const key = headers['idempotency-key']
        const live = await ask(services, caller.userId, session, body.query, { key })
        return sendAnswer(request, reply, live)
      },
    })

    app.post('/session/:uuid/message/non-stream', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Send a message and wait for the whole answer',
        params: UuidParams,
        headers: QuestionHeaders,
        body: Query,
        response: { 200: WholeAnswer, ...errors(400, 404, 409, 413, 415, 422, 429, 502) },
      },
      handler: async (request, reply) => {
        const { caller, params, body, headers } = request
        const session = await getOwnedSession(db, caller.userId, params.uuid)
        const key = headers['idempotency-key']
        const live = await ask(services, caller.userId, session, body.query, { key })
        await waitForAnswer(request, live)
        reply.header('x-message-uuid', live.messageId)
        if (live.failure) throw live.failure
        return { response: live.text }
      },
    })

    app.get('/message/:uuid/stream', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Resume the stream of an answer',
        description: 'Sends the answer after its first `offset` bytes, live or finished.',
        params: UuidParams,
        querystring: StreamQuery,
        response: { 200: StreamedText, ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const message = await getOwnedMessage(db, request.caller.userId, request.params.uuid)
        return followAnswer(request, reply, services, message, request.query.offset)
      },
    })

    app.post('/message/:uuid/stop', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Stop an answer',
        description: 'Stops the model. A finished answer does not change.',
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        const message = await getOwnedMessage(db, caller.userId, params.uuid)
        await stopAnswer(services, message)
        return { success: true as const }
      },
    })

    app.get('/session/:uuid/messages', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch all messages of a session',
        params: UuidParams,
        querystring: PageQuery,
        response: { 200: Message.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { caller, params, query } = request
        const session = await getOwnedSession(db, caller.userId, params.uuid)
        return sendList(services, reply, {
          reader: readMessages(db, session.id),
          ownerId: caller.userId,
          ...query,
          write: (message) => writeMessage(toMessageRecord(message)),
          confirm: () => getOwnedSession(db, caller.userId, session.id),
        })
      },
    })

    app.get('/session/:uuid/messages/plain-text', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a session as a transcript',
        params: UuidParams,
        response: { 200: Transcript, ...errors(404) },
      },
      handler: async ({ caller, params }, reply) => {
        const session = await getOwnedSession(db, caller.userId, params.uuid)
        return sendList(services, reply, {
          reader: readMessages(db, session.id),
          ownerId: caller.userId,
          format: TRANSCRIPT,
          write: ({ query, response }) => `User: ${query}\n\nAssistant: ${response}\n`,
          confirm: () => getOwnedSession(db, caller.userId, session.id),
        })
      },
    })

    app.get('/message/:uuid', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch a message',
        params: UuidParams,
        response: { 200: Message, ...errors(404) },
      },
      handler: async ({ caller, params }) =>
        toMessageRecord(await getOwnedMessage(db, caller.userId, params.uuid)),
    })

    app.get('/message/:uuid/citations/verify', {
      config: { scope: 'read' },
      schema: {
        summary: 'Check the citations of a message',
        description:
          'Checks whether the cited range of each source revision still contains the quoted text.',
        params: UuidParams,
        response: { 200: CitationCheck, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        const message = await getOwnedMessage(db, caller.userId, params.uuid)
        const { receipts = {} } = JSON.parse(message.meta)
        const citations = await verifyReceipts(services.searchDb, receipts)
        return { verified: citations.every(({ verified }) => verified), citations }
      },
    })

    app.post('/message/:uuid/feedback', {
      config: { scope: 'chat' },
      schema: {
        summary: 'Rate an answer',
        params: UuidParams,
        body: Feedback,
        response: { 200: Success, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async ({ caller, params, body }) => {
        await setFeedback(db, await getOwnedMessage(db, caller.userId, params.uuid), body)
        return { success: true as const }
      },
    })

    addDeletionRoutes(app, {
      noun: 'message',
      one: { path: '/message/:uuid/delete', summary: 'Delete a message' },
      several: {
        path: '/messages/delete',
        summary: 'Delete several messages',
        description: 'Deletes all of them or none.',
      },
      find: (ownerId, ids) => findOwnedMessages(db, ownerId, ids),
      remove: (messages) => deleteMessages(db, messages),
    })
  }
}
