import type { FastifyPluginAsync } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

/** Puts a group of routes under a heading of the API's description. */
export function underTag(tag: string, routes: FastifyPluginAsyncZod): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRoute', ({ schema }) => {
      if (schema) schema.tags = [tag]
    })
    app.register(routes)
  }
}
