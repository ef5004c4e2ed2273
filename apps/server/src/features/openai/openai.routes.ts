import type { FinishReason } from '@docent/contract/messages.ts'
import {
  ChatCompletion,
  type Completion,
  CompletionReply,
  OpenAiModel,
  OpenAiModelList,
} from '@docent/contract/openai.ts'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ask } from '../../answering/ask.ts'
import type { LiveAnswer } from '../../answering/live/live-answer.ts'
import type { Database } from '../../database/database.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import { AppError } from '../../errors.ts'
import type { RequireToken } from '../../http/auth.ts'
import { asAppError, logFailure } from '../../http/errors/error-handler.ts'
import { openAiErrors } from '../../http/errors/error-responses.ts'
import { JSON_LIST, sendList } from '../../http/lists/send-list.ts'
import { underTag } from '../../http/openapi.ts'
import { acceptJsonBodies } from '../../http/request-body.ts'
import { AnswerStream } from '../../http/streams/answer-stream.ts'
import { waitForAnswer } from '../../http/streams/follow-answer.ts'
import { jsonWriter } from '../../http/write-json.ts'
import type { Services } from '../../services.ts'
import { type Chatbot, readChatbots } from '../chatbots/chatbots.store.ts'
import { findChatbot } from '../chatbots/find-chatbot.ts'
import { newSession } from '../sessions/sessions.store.ts'
import { toOpenAiError } from './openai-errors.ts'
import { readConversation, refuseUnsupported } from './openai-requests.ts'

const writeModel = jsonWriter(OpenAiModel)

/** OpenAI's API with each chatbot as a model, so that OpenAI's clients can talk to chatbots. */
export function openAiRoutes(services: Services, requireToken: RequireToken): FastifyPluginAsync {
  return async (v1) => {
    requireToken(v1)
    acceptJsonBodies(v1)
    const answerError = answerAsOpenAi(services)
    v1.setErrorHandler(answerError)
    v1.setNotFoundHandler((request, reply) =>
      answerError(v1.errorForUnknownPath(request), request, reply),
    )
    // Registered before the pages, which handle every other path.
    const options = { config: { scope: 'any' as const }, schema: { hide: true } }
    v1.get('/*', options, (_request, reply) => reply.callNotFound())
    v1.register(underTag('OpenAI’s interface', chatRoutes(services)))
  }
}

function chatRoutes(services: Services): FastifyPluginAsyncZod {
  const { db } = services

  return async (app) => {
    app.get('/models', {
      config: { scope: 'read' },
      schema: {
        operationId: 'listOpenAiModels',
        summary: 'Fetch all chatbots, as models',
        response: { 200: OpenAiModelList, ...openAiErrors() },
      },
      handler: async ({ caller }, reply) => {
        await sendList(services, reply, {
          reader: readChatbots(db, caller.userId),
          ownerId: caller.userId,
          format: { ...JSON_LIST, open: '{"object":"list","data":[', close: ']}' },
          write: (chatbot) => writeModel(toModel(chatbot)),
          confirm: async () => {},
        })
        return reply
      },
    })

    app.get('/models/:model', {
      config: { scope: 'read' },
      schema: {
        operationId: 'getOpenAiModel',
        summary: 'Fetch a chatbot, as a model',
        params: z.object({ model: ChatCompletion.shape.model }),
        response: { 200: OpenAiModel, ...openAiErrors(404, 409) },
      },
      handler: async ({ caller, params }) =>
        toModel(await findModel(db, caller.userId, params.model)),
    })

    app.post('/chat/completions', {
      config: { scope: 'chat' },
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Ask a chatbot',
        description:
          'Every request contains the whole conversation. Requests with a `response_format` other than text, or with a `tool_choice` that forces a tool, are rejected. Other parameters are ignored.',
        body: ChatCompletion,
        response: { 200: CompletionReply, ...openAiErrors(400, 404, 409, 413, 415, 422, 502) },
      },
      handler: async (request, reply) => {
        const { caller, body } = request
        refuseUnsupported(body)
        const { question, history } = readConversation(body)
        const chatbot = await findModel(db, caller.userId, body.model)
        // Each request carries the whole conversation, so each gets its own session.
        const session = asOwned(newSession(chatbot))
        const live = await ask(services, caller.userId, session, question, {
          history,
          buckets: [`${chatbot.id} ${caller.tokenId}`],
          isNew: true,
        })
        reply.header('x-session-uuid', session.id)
        if (body.stream) {
          await streamChunks(reply, live, body)
          return reply
        }
        await waitForAnswer(request, live)
        return wholeCompletion(reply, live, body.model)
      },
    })
  }
}

/** Reports an unknown chatbot as an unknown model, which clients can tell from a wrong address. */
async function findModel(db: Database, ownerId: string, given: string): Promise<Owned<Chatbot>> {
  try {
    return await findChatbot(db, ownerId, given)
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'not_found') throw cause
    const { message } = cause
    const details = [{ loc: ['body', 'model'], msg: message, type: 'model_not_found' }]
    throw new AppError('not_found', message, { cause, details })
  }
}

function toModel({ id, name, created_at }: Chatbot) {
  return {
    id,
    object: 'model' as const,
    created: Math.floor(created_at / 1000),
    owned_by: 'docent' as const,
    name,
  }
}

function wholeCompletion(reply: FastifyReply, live: LiveAnswer, model: string): Completion {
  if (live.failure) throw live.failure
  reply.header('x-message-uuid', live.messageId)
  return {
    ...head(live, model, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: live.text, refusal: null },
        logprobs: null,
        finish_reason: finishReason(live.finishReason),
      },
    ],
    usage: live.tokens,
  }
}

async function streamChunks(
  reply: FastifyReply,
  live: LiveAnswer,
  { model, stream_options }: ChatCompletion,
): Promise<void> {
  const stream = new AnswerStream(reply, live)
  const withUsage = stream_options?.include_usage === true
  const common = {
    ...head(live, model, 'chat.completion.chunk'),
    ...(withUsage && { usage: null }),
  }
  const send = (event: object) => stream.write(`data: ${JSON.stringify(event)}\n\n`)
  const sendDelta = (delta: object, finish_reason: string | null = null) =>
    send({ ...common, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })

  let sent = 0
  while (!stream.gone) {
    const content = live.text.slice(sent)
    if (content === '' && live.finishReason) break
    if (content === '') {
      await live.changed()
      continue
    }
    await stream.refuseIfEnded()
    const isFirst = sent === 0
    sent += content.length
    stream.start('text/event-stream; charset=utf-8')
    await sendDelta({ ...(isFirst && { role: 'assistant' }), content })
  }
  if (stream.gone) return
  await stream.refuseIfEnded()
  if (live.failure && !stream.started) throw live.failure
  stream.start('text/event-stream; charset=utf-8')
  if (live.failure) {
    await send(toOpenAiError(live.failure))
    stream.cut()
    return
  }
  await sendDelta({}, finishReason(live.finishReason))
  if (withUsage) await send({ ...common, choices: [], usage: live.tokens })
  await stream.write('data: [DONE]\n\n')
  stream.end()
}

function head<Kind extends string>(live: LiveAnswer, model: string, object: Kind) {
  return {
    id: `chatcmpl-${live.messageId}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: null,
  }
}

function finishReason(reason: FinishReason | undefined) {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop'
}

function answerAsOpenAi({ log, metrics }: Pick<Services, 'log' | 'metrics'>) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = asAppError(error)
    logFailure(log, request, error, known)
    if (known.limit) metrics.requestRefused(known.limit)
    return reply.code(known.status).headers(known.headers).send(toOpenAiError(known))
  }
}
