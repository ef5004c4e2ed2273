import { normalizeId } from '@docent/contract/field.ts'
import { wordingsOf } from '@docent/text/follow-up.ts'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { ask } from '../../answering/ask.ts'
import { readRows } from '../../database/rows/list-reader.ts'
import { asOwned } from '../../database/rows/owned.ts'
import { AppError, notFound } from '../../errors.ts'
import { type RequireToken, requireScope } from '../../http/auth.ts'
import { logFailure, toPublicError } from '../../http/errors/error-handler.ts'
import { waitForAnswer } from '../../http/streams/follow-answer.ts'
import { refuseReplacedCode } from '../../runtime/replaced-code.ts'
import type { Services } from '../../services.ts'
import { listChatbotNames } from '../chatbots/chatbots.store.ts'
import { findChatbot } from '../chatbots/find-chatbot.ts'
import { getOwnedMessage } from '../messages/messages.store.ts'
import { toFoundPassage } from '../search/found-passage.record.ts'
import { searchPassages } from '../search/search-passages.ts'
import { getOwnedSession, newSession } from '../sessions/sessions.store.ts'
import { metaOf, readSources } from '../sources/sources.store.ts'
import { listCitations } from './list-citations.ts'
import type { ChatbotAccess } from './tools.ts'

/**
 * The Model Context Protocol: chatbots as tools for the language models of other programs. Requests are stateless, so
 * any server behind a load balancer can answer them.
 */
export function mcpRoutes(services: Services, requireToken: RequireToken): FastifyPluginAsync {
  let handler: Promise<McpHttpHandler> | undefined

  return async (app) => {
    requireToken(app)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => body)

    app.post('/mcp', {
      config: { scope: 'any' },
      schema: { hide: true },
      handler: async (request, reply) => {
        if (!handler) refuseReplacedCode()
        handler ??= openHandler(services)
        const { url, headers, body, caller } = request
        // Earlier versions of the protocol had batches. The rate limit would count a batch as one request.
        if (/^\s*\[/.test(String((body as Buffer | undefined)?.subarray(0, 64) ?? ''))) {
          throw new AppError('bad_request', 'Send one request at a time instead of a list.')
        }
        const { fetch: serve } = await handler
        const answer = await serve(
          new Request(new URL(url, 'http://localhost'), {
            method: 'POST',
            headers: headers as Record<string, string>,
            body: (body as Buffer<ArrayBuffer> | undefined) ?? null,
          }),
          { authInfo: { token: '', clientId: caller.tokenId, scopes: [], extra: { request } } },
        )
        return reply.header('x-accel-buffering', 'no').send(answer)
      },
    })

    app.addHook('preClose', async () => (await handler)?.close())
  }
}

/** Loaded on first use: it takes memory that most servers do not need. */
async function openHandler(services: Services): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { serveTools }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./tools.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) =>
      serveTools(reachChatbots(services, authInfo!.extra!.request as FastifyRequest)),
    // The stream carries heartbeats during slow answers. Otherwise proxies would time out.
    { responseMode: 'sse', onerror: (error) => services.log.debug({ err: error }, 'mcp') },
  )
}

/** Enforces the caller's permissions and turns failures into public errors. */
function reachChatbots(services: Services, request: FastifyRequest): ChatbotAccess {
  const access = withCaller(services, request)
  const guarded = Object.entries(access).map(([name, act]) => [
    name,
    async (...args: never[]) => {
      try {
        return await (act as (...args: never[]) => Promise<unknown>)(...args)
      } catch (error) {
        logFailure(services.log, request, error)
        throw new Error(toPublicError(error, request).error)
      }
    },
  ])
  return Object.fromEntries(guarded)
}

function withCaller(services: Services, request: FastifyRequest): ChatbotAccess {
  const { db } = services
  const { caller } = request
  return {
    async listChatbots({ limit, after = '' }) {
      requireScope(caller, 'read')
      const page = { limit, after: normalizeId(after) }
      const chatbots = await listChatbotNames(db, caller.userId, page)
      return chatbots.map(({ id, name }) => ({ uuid: id, name }))
    },

    async listSources(given, page) {
      requireScope(caller, 'read')
      const chatbot = await findChatbot(db, caller.userId, given)
      const after = page.after === undefined ? undefined : normalizeId(page.after)
      const sources = await readRows(readSources(db, chatbot.id), after, page.limit)
      return sources.map((source) => ({
        ...source,
        uuid: source.id,
        error: metaOf(source).error ?? null,
      }))
    },

    async searchPassages(given, query, limit) {
      requireScope(caller, 'chat')
      const chatbot = await findChatbot(db, caller.userId, given)
      const found = await searchPassages(services, chatbot, wordingsOf(query, undefined), limit)
      return found.map(toFoundPassage)
    },

    async ask(given, question, sessionId) {
      requireScope(caller, 'chat')
      const chatbot = await findChatbot(db, caller.userId, given)
      const known =
        sessionId === undefined
          ? undefined
          : await getOwnedSession(db, caller.userId, normalizeId(sessionId))
      const session = known ?? asOwned(newSession(chatbot))
      if (session.chatbot_id !== chatbot.id) throw notFound('session')
      // Counted by token, so that a new session for each question does not avoid the rate limit.
      const buckets = [`${chatbot.id} ${caller.tokenId}`]
      const isNew = !known
      const live = await ask(services, caller.userId, session, question, { buckets, isNew })
      await waitForAnswer(request, live)
      if (live.failure) throw live.failure
      const message = await getOwnedMessage(db, caller.userId, live.messageId)
      return {
        answer: message.response,
        citations: listCitations(message.citations, message.meta),
        finish_reason: message.finish_reason,
        session: session.id,
        message: message.id,
      }
    },
  }
}
