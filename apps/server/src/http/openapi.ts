import { join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

const OPENAPI_FILE = join(import.meta.dirname, '../../../../docs/openapi.json')

const NAVIGATION_LINKS = '[Back to the console](/) · [Guide](/guide)'

/** The page has no place for links, so the description has them. */
function addNavigationLinks(specification: Readonly<Record<string, unknown>>) {
  const info = specification.info as { description: string }
  return {
    ...specification,
    info: { ...info, description: `${info.description}\n\n${NAVIGATION_LINKS}` },
  }
}

/** As strict as the policy of the other pages, except for the small images inside its style sheet. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}

/** The page sets no viewport, so phones would show it at desktop width. */
const FOR_PHONES = `const meta = { name: 'viewport', content: 'width=device-width, initial-scale=1' }
document.head.append(Object.assign(document.createElement('meta'), meta))`

/** Serves the committed description of the API at /openapi.json, and a page to try it out at /docs. */
export function apiReference(): FastifyPluginAsync {
  return async (app) => {
    await app.register(swagger, {
      mode: 'static',
      specification: { path: OPENAPI_FILE, baseDir: join(OPENAPI_FILE, '..') },
    })
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      theme: { title: 'Docent API', js: [{ filename: 'phone.js', content: FOR_PHONES }] },
      transformSpecification: addNavigationLinks,
      staticCSP: POLICY,
      uiConfig: {
        // The standard layout adds another project's logo and a box for other descriptions.
        layout: 'BaseLayout',
        defaultModelsExpandDepth: 0,
        // Otherwise the token would stay after the visit, where every script of this origin can read it.
        persistAuthorization: false,
        validatorUrl: null,
        tryItOutEnabled: true,
        displayRequestDuration: true,
      },
    })
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  }
}

/** Puts a group of routes under a heading of the API's description. */
export function underTag(tag: string, routes: FastifyPluginAsyncZod): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRoute', ({ schema }) => {
      if (schema) schema.tags = [tag]
    })
    app.register(routes)
  }
}
