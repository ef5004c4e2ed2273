import { join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyPluginAsync } from 'fastify'

const OPENAPI_FILE = join(import.meta.dirname, '../../../docs/openapi.json')

const WAY_BACK = '[Back to the console](/) · [Guide](/guide)'

/** The page has no place of its own for links. */
function withWayBack(specification: Readonly<Record<string, unknown>>) {
  const info = specification.info as { description: string }
  return { ...specification, info: { ...info, description: `${info.description}\n\n${WAY_BACK}` } }
}

/** The committed description of the interface, to read at /openapi.json and to try out at /docs. */
export function apiReference(): FastifyPluginAsync {
  return async (app) => {
    await app.register(swagger, {
      mode: 'static',
      specification: { path: OPENAPI_FILE, baseDir: join(OPENAPI_FILE, '..') },
    })
    await app.register(swaggerUi, {
      routePrefix: '/docs',
      theme: { title: 'Docent API' },
      transformSpecification: withWayBack,
      // Its page has a style of its own; scripts of nowhere else are allowed either way.
      staticCSP: true,
      uiConfig: {
        // The standard layout has a bar with another project's logo and a box for other descriptions.
        layout: 'BaseLayout',
        defaultModelsExpandDepth: 0,
        persistAuthorization: true,
        tryItOutEnabled: true,
        displayRequestDuration: true,
      },
    })
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  }
}
