import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Success, UuidParams } from '@docent/contract/field.ts'
import {
  Feedback,
  Query,
  QuestionHeaders,
  StreamedText,
  StreamQuery,
} from '@docent/contract/messages.ts'
import {
  type Channel,
  ChannelQuery,
  NewVisit,
  OpenChatbot,
  VisitorMessage,
  VisitorMessagesQuery,
  Visit as VisitRecord,
} from '@docent/contract/visitors.ts'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ask } from '../../answering/ask.ts'
import { stopAnswer } from '../../answering/live/find-answer.ts'
import { readPage } from '../../database/rows/list-reader.ts'
import { AppError } from '../../errors.ts'
import { bearerToken } from '../../http/auth.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { networkOf } from '../../http/guards/limit-requests.ts'
import { isOwnOrigin } from '../../http/guards/origin.ts'
import { Throttle } from '../../http/guards/throttle.ts'
import { linkToNext } from '../../http/lists/page-list.ts'
import { followAnswer, sendAnswer } from '../../http/streams/follow-answer.ts'
import { signalOf } from '../../http/streams/request-signal.ts'
import type { Services } from '../../services.ts'
import { type Chatbot, rateLimitRefusal, settingsOf } from '../chatbots/chatbots.store.ts'
import { readNewestMessages, setFeedback } from '../messages/messages.store.ts'
import { getWidgetSettings } from '../widgets/widgets.store.ts'
import { toVisitorMessage } from './visitors.records.ts'
import {
  createVisitorSession,
  getOpenChatbot,
  getVisit,
  getVisitedMessage,
  type Visit,
} from './visitors.store.ts'

const HOUR_MS = 3_600_000
const FEWEST_VISITS = 120
const READS = { windowMs: 60_000, limit: 'visitor_reads' } as const
const PAGE_BYTES = 262_144
const PAGE_PATIENCE_MS = 60_000
const READS_OF_A_SESSION = 60
const READS_OF_A_NETWORK = 600
const TOO_MANY_READS = 'Too many requests for messages. Wait a minute and try again.'
// Fits the longest question, even if every character is escaped.
const LARGEST_BODY = 262_144

/** Routes for callers without a token: open chatbots, and the session that a secret belongs to. */
export function visitorRoutes(services: Services): FastifyPluginAsyncZod {
  const { db } = services
  const security = [{ visitor: [] }]
  const newVisits = new Throttle(db, { name: 'new visits', most: FEWEST_VISITS, windowMs: HOUR_MS })

  const reads = new Throttle(db, { ...READS, name: 'visitor reads', most: READS_OF_A_SESSION })
  const networkReads = new Throttle(db, {
    ...READS,
    name: 'network reads',
    most: READS_OF_A_NETWORK,
  })

  /** Counts reads by session, and by network too, since a network may open many sessions. */
  async function countRead(request: FastifyRequest, { session, chatbot }: Visit): Promise<void> {
    await reads.take(session.id, { message: TOO_MANY_READS })
    const network = `${chatbot.id} ${networkOf(request.ip)}`
    await networkReads.take(network, { message: TOO_MANY_READS })
  }

  async function openChatbot(request: FastifyRequest, uuid: string, channel: Channel) {
    const chatbot = await getOpenChatbot(db, uuid, channel)
    await refuseUnlisted(request, chatbot, channel)
    return chatbot
  }

  /**
   * Checks the origin of the widget's script, which runs on the site itself, and of pages that call the API directly.
   * The widget's frame is a page of this server. Browsers show it on listed sites only.
   */
  async function refuseUnlisted(request: FastifyRequest, chatbot: Chatbot, channel: Channel) {
    const { origin } = request.headers
    if (origin === undefined || isOwnOrigin(request, origin)) return
    const { allowed_origins } = await getWidgetSettings(db, chatbot)
    const isListed = allowed_origins.length === 0 || allowed_origins.includes(origin)
    if (channel === 'share' || !isListed) {
      throw new AppError(
        'forbidden',
        `This chatbot is not available on ${origin}. Its owner can add the site to the allowed sites.`,
      )
    }
  }

  return async (app) => {
    app.addHook('onRequest', async (request) => {
      await services.requestTurns.take(networkOf(request.ip))
    })
    app.addHook('onRoute', (route) => {
      route.bodyLimit = LARGEST_BODY
      // Runs before the body is read: callers without a secret must not learn what a valid request looks like.
      if (route.schema?.security === security)
        route.onRequest = [requireSecret, ...[route.onRequest ?? []].flat()]
    })

    app.get('/public/chatbot/:uuid', {
      schema: {
        summary: 'Fetch the public details of a chatbot',
        security: [],
        params: UuidParams,
        querystring: ChannelQuery,
        response: { 200: OpenChatbot, ...errors(404, 422) },
      },
      handler: async (request) => {
        const chatbot = await openChatbot(request, request.params.uuid, request.query.channel)
        const { allowed_origins: _, title, ...look } = await getWidgetSettings(db, chatbot)
        return { uuid: chatbot.id, ...look, title: title || chatbot.name }
      },
    })

    app.post('/public/chatbot/:uuid/session', {
      schema: {
        summary: 'Open a session as a visitor',
        security: [],
        params: UuidParams,
        body: NewVisit,
        response: { 200: VisitRecord, ...errors(400, 404, 413, 415, 422, 429) },
      },
      handler: async (request) => {
        const { channel } = request.body
        const chatbot = await openChatbot(request, request.params.uuid, channel)
        await newVisits.take(`${chatbot.id} ${networkOf(request.ip)}`, visitsOf(chatbot))
        await services.quotas.claim(chatbot.owner_id, { rows: 1, bytes: 0 })
        const { session, secret } = await createVisitorSession(db, chatbot, channel)
        return { uuid: session.id, secret }
      },
    })

    app.get('/public/session/:uuid/messages', {
      schema: {
        summary: 'Fetch the newest messages of a visitor’s session',
        description:
          'At most 200 messages or 256 KB, newest last. The `Link` header has the URL of older messages. Limited to 60 requests a minute.',
        security,
        params: UuidParams,
        querystring: VisitorMessagesQuery,
        response: { 200: VisitorMessage.array(), ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const { before, limit } = request.query
        const visit = await getVisit(db, bearerToken(request), request.params.uuid)
        await countRead(request, visit)
        const reader = readNewestMessages(db, visit.session.id)
        // A client that stops reading would keep the page in memory.
        const cutOff = setTimeout(() => reply.raw.destroy(), PAGE_PATIENCE_MS)
        reply.raw.once('close', () => clearTimeout(cutOff))
        const page = await services.lists.pages.run(
          visit.chatbot.owner_id,
          async () => {
            await nextTurn()
            const { rows, next } = await readPage(reader, before, limit, PAGE_BYTES)
            if (next !== undefined) reply.header('link', linkToNext(request, 'before', next))
            return rows.toReversed().map(toVisitorMessage)
          },
          signalOf(reply),
        )
        return page
      },
    })

    app.post('/public/session/:uuid/message/stream', {
      schema: {
        summary: 'Ask as a visitor and stream the answer',
        security,
        params: UuidParams,
        headers: QuestionHeaders,
        body: Query,
        response: { 200: StreamedText, ...errors(400, 404, 409, 413, 415, 422, 429, 502) },
      },
      handler: async (request, reply) => {
        const visit = await getVisit(db, bearerToken(request), request.params.uuid)
        const { session, chatbot, channel } = visit
        await refuseUnlisted(request, chatbot, channel)
        const buckets = [session.id, visitorBucket(chatbot, request.ip)]
        const { query } = request.body
        const key = request.headers['idempotency-key']
        const options = { buckets, key, isVisit: true }
        const answer = await ask(services, chatbot.owner_id, session, query, options)
        return sendAnswer(request, reply, answer)
      },
    })

    app.get('/public/message/:uuid/stream', {
      schema: {
        summary: 'Resume the stream of an answer as a visitor',
        security,
        params: UuidParams,
        querystring: StreamQuery,
        response: { 200: StreamedText, ...errors(404, 422) },
      },
      handler: async (request, reply) => {
        const secret = bearerToken(request)
        const { message, ...visit } = await getVisitedMessage(db, secret, request.params.uuid)
        await countRead(request, visit)
        return followAnswer(request, reply, services, message, request.query.offset)
      },
    })

    app.post('/public/message/:uuid/stop', {
      schema: {
        summary: 'Stop an answer as a visitor',
        security,
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async (request) => {
        const secret = bearerToken(request)
        const { message } = await getVisitedMessage(db, secret, request.params.uuid)
        await stopAnswer(services, message)
        return { success: true as const }
      },
    })

    app.post('/public/message/:uuid/feedback', {
      schema: {
        summary: 'Rate an answer as a visitor',
        security,
        params: UuidParams,
        body: Feedback,
        response: { 200: Success, ...errors(400, 404, 413, 415, 422) },
      },
      handler: async (request) => {
        const secret = bearerToken(request)
        const { message } = await getVisitedMessage(db, secret, request.params.uuid)
        await setFeedback(db, message, request.body)
        return { success: true as const }
      },
    })
  }
}

async function requireSecret(request: FastifyRequest): Promise<void> {
  bearerToken(request)
}

/** Allows as many sessions as the questions that a network may ask in an hour. More would stay empty. */
function visitsOf(chatbot: Chatbot) {
  const settings = settingsOf(chatbot)
  const [messages, seconds] = settings.rate_limit
  const questions = Math.ceil((messages * HOUR_MS) / (seconds * 1000))
  const { sentence: message, params } = rateLimitRefusal(settings)
  return { most: Math.max(FEWEST_VISITS, questions), message, params }
}

/** Counts a visitor's network across all their sessions. Stores a hash of its address, for a day. */
function visitorBucket(chatbot: Chatbot, ip: string): string {
  return `visitor ${hash('sha256', `${chatbot.id} ${networkOf(ip)}`)}`
}
