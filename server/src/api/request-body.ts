import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/**
 * Bodies as real clients send them: an empty one with a JSON type, none at all, a body where none is expected,
 * a type with an odd spelling. What a route does not expect is ignored; what it expects has to be JSON.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', async (request) => {
    // Without a type, no spelling of it can be refused before the parser below sees the route.
    const { schema, config } = request.routeOptions
    if (!schema?.body && !config.multipart) delete request.raw.headers['content-type']
  })
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (!request.routeOptions.schema?.body) return undefined
      if (bytes.length === 0) return {}
      const type = request.headers['content-type']
      if (type !== undefined && !/json/i.test(type)) {
        throw new AppError('unsupported_type', 'Send the body as application/json.')
      }
      return parseJson(bytes)
    },
  )
  // A route that expects a body and gets none says which fields are missing.
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body) request.body ??= {}
  })
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
}
