import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { accountRoutes } from './features/accounts/account.routes.ts'
import { connectionRoutes } from './features/accounts/connection.routes.ts'
import { signInRoutes } from './features/accounts/sign-in.routes.ts'
import { answeringRoutes } from './features/chatbots/answering.routes.ts'
import { chatbotRoutes } from './features/chatbots/chatbots.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
import { insightRoutes } from './features/insights/insights.routes.ts'
import { mcpRoutes } from './features/mcp/mcp.routes.ts'
import { messageRoutes } from './features/messages/messages.routes.ts'
import { openAiRoutes } from './features/openai/openai.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { sessionRoutes } from './features/sessions/sessions.routes.ts'
import { sourceTextRoutes } from './features/sources/source-text.routes.ts'
import { sourceRoutes } from './features/sources/sources.routes.ts'
import { tokenRoutes } from './features/tokens/tokens.routes.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import { visitorRoutes } from './features/visitors/visitors.routes.ts'
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import { widgetRoutes } from './features/widgets/widgets.routes.ts'
import { type RequireToken, requireTokens } from './http/auth.ts'
import { answerErrors, answerUnreadable, refuseExpectation } from './http/errors/error-handler.ts'
import { sayWhatIsWrong } from './http/errors/validation-messages.ts'
import { continueLate } from './http/expect-continue.ts'
import { allowAnyOrigin } from './http/guards/cors.ts'
import { refuseForeignHosts } from './http/guards/host-names.ts'
import { boundIdleConnections, MOST_IDLE_CONNECTIONS } from './http/guards/idle-connections.ts'
import { answerUnknownPaths } from './http/guards/known-paths.ts'
import { limitAddresses } from './http/guards/limit-requests.ts'
import { sendSafeHeaders } from './http/guards/safe-headers.ts'
import { boundUnfinishedBodies } from './http/guards/unfinished-bodies.ts'
import { observeRequests } from './http/observe-requests.ts'
import { apiReference } from './http/openapi.ts'
import { acceptJsonBodies } from './http/request-body.ts'
import { staticFiles } from './http/static-files.ts'
import { jsonWriter } from './http/write-json.ts'
import type { Services } from './services.ts'

export const API_PREFIX = '/api/v1'
export const OPENAI_PREFIX = '/v1'

/** A request that has not arrived whole by then never will. */
const REQUEST_TIMEOUT_MS = 600_000

/** A head is small: a client that takes longer sends none. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECK_CONNECTIONS_MS = 5_000

/** How long open connections may go on when the server closes. */
const LAST_REQUESTS_MS = 1_000

const startedAs = randomUUID().slice(0, 8)
let requests = 0

/** Unlike any other, of this process and of others. */
function nextRequestId(): string {
  requests += 1
  return `${startedAs}-${requests.toString(36)}`
}

/** The whole HTTP surface, in one screen. */
export function buildApp(services: Services): FastifyInstance {
  const answerError = answerErrors(services)
  const app = Fastify({
    genReqId: nextRequestId,
    // Node by itself refuses without a word; observeRequests has one.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Without proxies of one's own, nobody's word counts on where a request comes from.
    trustProxy: services.config.trustedProxies.length > 0 ? services.config.trustedProxies : false,
    // However long a uuid is, it is simply not found.
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
    },
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
  })
  app.setValidatorCompiler(validatorCompiler)
  z.config({ customError: sayWhatIsWrong })
  app.setSerializerCompiler<z.ZodType>(({ schema }) => jsonWriter(schema))
  app.setErrorHandler(answerError)
  app.server.on('checkExpectation', refuseExpectation)
  boundIdleConnections(app.server, MOST_IDLE_CONNECTIONS)
  continueLate(app)
  answerUnknownPaths(app)
  boundUnfinishedBodies(app, services)
  observeRequests(app, services)
  sendSafeHeaders(app)
  allowAnyOrigin(app)
  refuseForeignHosts(app, services)
  limitAddresses(app, services)
  // A connection that says nothing, or a body that never ends, would keep the server from stopping for ever.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), LAST_REQUESTS_MS).unref()
  })
  app.register(healthRoutes(services))
  app.register(apiReference())
  app.register(staticFiles(services))

  const requireToken = requireTokens(services)
  app.register(apiRoutes(services, requireToken), { prefix: API_PREFIX })
  app.register(openAiRoutes(services, requireToken), { prefix: OPENAI_PREFIX })
  app.register(mcpRoutes(services, requireToken))
  return app
}

export function apiRoutes(services: Services, requireToken: RequireToken): FastifyPluginAsync {
  return async (api) => {
    acceptJsonBodies(api)
    api.register(ownerRoutes(services, requireToken))
    // Without a token: whoever signs in has none, and a visitor has the secret of a session.
    api.register(signInRoutes(services))
    api.register(visitorRoutes(services))
  }
}

/** Everything behind a token or a sign-in. */
function ownerRoutes(services: Services, requireToken: RequireToken): FastifyPluginAsync {
  return async (api) => {
    requireToken(api)
    api.register(multipart)
    api.register(accountRoutes(services))
    api.register(tokenRoutes(services))
    api.register(connectionRoutes())
    api.register(chatbotRoutes(services))
    api.register(answeringRoutes(services))
    api.register(widgetRoutes(services))
    api.register(sourceRoutes(services))
    api.register(sourceTextRoutes(services))
    api.register(sessionRoutes(services))
    api.register(messageRoutes(services))
    api.register(searchRoutes(services))
    api.register(insightRoutes(services))
    api.register(usageRoutes(services))
    api.register(webhookRoutes(services))
  }
}
