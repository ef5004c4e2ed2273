import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { refuseLongLists } from './lists/refuse-long-lists.ts'

/**
 * Accepts bodies as real clients send them: empty with a JSON type, missing, unexpected, or with an oddly spelled type.
 * Ignores unexpected bodies. Expected bodies must be JSON.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', (route) => {
    const expectsJson = route.schema?.body !== undefined
    // A GET may carry a body too, which is ignored.
    if (route.config?.multipart || route.method === 'GET' || route.method === 'HEAD') return
    const settleType = (
      request: FastifyRequest,
      _reply: FastifyReply,
      done: (error?: Error) => void,
    ) => {
      // Fastify rejects spellings that it cannot read before the parser below sees the route.
      const { headers } = request.raw
      const type = headers['content-type']
      const encoding = headers['content-encoding']
      const isEmpty = !headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0)
      if (!expectsJson || type === '' || isEmpty) delete headers['content-type']
      else if (encoding && encoding !== 'identity') return done(encoded(encoding))
      else if (type && /json/i.test(type)) headers['content-type'] = 'application/json'
      // Only upload routes parse forms. On other routes, a form would count as a missing body, so it is rejected.
      else if (type && /^\s*multipart\//i.test(type)) return done(notJson())
      done()
    }
    // If a route expects a body and gets none, the error names the missing fields.
    const settleBody = async (request: FastifyRequest) => {
      request.body ??= {}
      refuseLongLists(request.body)
    }
    route.onRequest = [...[route.onRequest ?? []].flat(), settleType]
    if (expectsJson) route.preValidation = [settleBody]
  })
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (!request.routeOptions.schema?.body) return undefined
      if (bytes.length === 0) return {}
      const type = request.headers['content-type']
      if (type !== undefined && type !== 'application/json') {
        throw notJson()
      }
      return parseJson(bytes)
    },
  )
}

function notJson(): AppError {
  return new AppError('unsupported_type', 'Send the body as application/json.')
}

function encoded(encoding: string): AppError {
  return new AppError(
    'unsupported_type',
    `The content encoding ${encoding} is not supported. Send the body unencoded.`,
  )
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('bad_request', 'The body is not UTF-8.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
}
