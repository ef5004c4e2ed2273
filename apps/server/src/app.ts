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
import { insightRoutes } from './features/conversations/insights.routes.ts'
import { healthRoutes } from './features/health/health.routes.ts'
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
import { describeIssue } from './http/errors/validation-messages.ts'
import { deferContinue } from './http/expect-continue.ts'
import { allowAnyOrigin } from './http/guards/cors.ts'
import { refuseForeignHosts } from './http/guards/host-names.ts'
import { boundIdleConnections, MOST_IDLE_CONNECTIONS } from './http/guards/idle-connections.ts'
import { answerUnknownPaths } from './http/guards/known-paths.ts'
import { limitAddresses } from './http/guards/limit-requests.ts'
import { sendSafeHeaders } from './http/guards/safe-headers.ts'
import { boundUnfinishedBodies } from './http/guards/unfinished-bodies.ts'
import { observeRequests } from './http/observe-requests.ts'
import { apiReference, underTag } from './http/openapi.ts'
import { acceptJsonBodies } from './http/request-body.ts'
import { staticFiles } from './http/static-files.ts'
import { jsonWriter } from './http/write-json.ts'
import type { Services } from './services.ts'

export const API_PREFIX = '/api/v1'
export const OPENAI_PREFIX = '/v1'

/** Node closes the connection of a request that takes longer to arrive. */
const REQUEST_TIMEOUT_MS = 600_000

/** Headers are small, so a client that takes longer is stuck or hostile. */
const HEADERS_TIMEOUT_MS = 20_000
const CHECK_CONNECTIONS_MS = 5_000

/** Grace period for open connections when the server closes. */
const LAST_REQUESTS_MS = 1_000

const startedAs = randomUUID().slice(0, 8)
let requests = 0

/** Unique across processes and restarts. */
function nextRequestId(): string {
  requests += 1
  return `${startedAs}-${requests.toString(36)}`
}

/** The whole HTTP surface on one screen. */
export function buildApp(services: Services): FastifyInstance {
  const answerError = answerErrors(services)
  const app = Fastify({
    genReqId: nextRequestId,
    // Node answers a missing Host header with an empty 400. observeRequests answers with an explanation.
    http: {
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Ignore forwarded headers unless proxies are trusted.
    trustProxy: services.config.trustedProxies.length > 0 ? services.config.trustedProxies : false,
    // An overlong id gets the usual 404 instead of a router error.
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 16_384,
    },
    frameworkErrors: answerError,
    clientErrorHandler: answerUnreadable,
  })
  app.setValidatorCompiler(validatorCompiler)
  z.config({ customError: describeIssue })
  app.setSerializerCompiler<z.ZodType>(({ schema }) => jsonWriter(schema))
  app.setErrorHandler(answerError)
  app.server.on('checkExpectation', refuseExpectation)
  boundIdleConnections(app.server, MOST_IDLE_CONNECTIONS)
  deferContinue(app)
  answerUnknownPaths(app)
  boundUnfinishedBodies(app, services)
  observeRequests(app, services)
  sendSafeHeaders(app)
  allowAnyOrigin(app)
  refuseForeignHosts(app, services)
  limitAddresses(app, services)
  // A silent connection or an endless body would keep the server from stopping.
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
    // These routes need no token: users sign in here, and visitors hold the secret of a session.
    api.register(underTag('Signing in', signInRoutes(services)))
    api.register(underTag('Visitors', visitorRoutes(services)))
  }
}

/** Routes that require a token or a sign-in. */
function ownerRoutes(services: Services, requireToken: RequireToken): FastifyPluginAsync {
  return async (api) => {
    requireToken(api)
    api.register(multipart)
    api.register(underTag('Account', accountRoutes(services)))
    api.register(underTag('Account', tokenRoutes(services)))
    api.register(underTag('Account', connectionRoutes()))
    api.register(underTag('Chatbots', chatbotRoutes(services)))
    api.register(underTag('Chatbots', answeringRoutes(services)))
    api.register(underTag('Chatbots', widgetRoutes(services)))
    api.register(underTag('Data sources', sourceRoutes(services)))
    api.register(underTag('Data sources', sourceTextRoutes(services)))
    api.register(underTag('Sessions', sessionRoutes(services)))
    api.register(underTag('Messages', messageRoutes(services)))
    api.register(underTag('Chatbots', searchRoutes(services)))
    api.register(underTag('Insights', insightRoutes(services)))
    api.register(underTag('Chatbots', usageRoutes(services)))
    api.register(underTag('Webhooks', webhookRoutes(services)))
  }
}
