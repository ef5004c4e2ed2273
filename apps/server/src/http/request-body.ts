import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { refuseLongLists } from './lists/refuse-long-lists.ts'

/**
 * Bodies as real clients send them: an empty one with a JSON type, none at all, a body where none is expected,
 * a type with an odd spelling. What a route does not expect is ignored; what it expects has to be JSON.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRoute', (route) => {
    const expectsJson = route.schema?.body !== undefined
    // A GET may carry a body, too: nobody looks at it.
    if (route.config?.multipart || route.method === 'GET' || route.method === 'HEAD') return
    const settleType = (
      request: FastifyRequest,
      _reply: FastifyReply,
      done: (error?: Error) => void,
    ) => {
      // Fastify refuses spellings that it cannot read before the parser below sees the route.
      const { headers } = request.raw
      const type = headers['content-type']
      const encoding = headers['content-encoding']
      const isEmpty = !headers['transfer-encoding'] && !Number(headers['content-length'] ?? 0)
      if (!expectsJson || type === '' || isEmpty) delete headers['content-type']
      else if (encoding && encoding !== 'identity') return done(encoded(encoding))
      else if (type && /json/i.test(type)) headers['content-type'] = 'application/json'
      // A form has a parser of its own where files are uploaded, and would be none here: as good as no body.
      else if (type && /^\s*multipart\//i.test(type)) return done(notJson())
      done()
    }
    // A route that expects a body and gets none says which fields are missing.
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
  return new AppError('unsupported_type', `Send the body as it is: ${encoding} is not undone.`)
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('bad_request', 'The body is not UTF-8.')
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new AppError('bad_request', 'The body is not valid JSON.')
  }
}
