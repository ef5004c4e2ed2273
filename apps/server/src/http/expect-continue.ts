import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    isToldToContinue: boolean
  }
}

/**
 * Sends `100 Continue` only when the body is about to be read. Clients that wait for it need not send the body of a
 * rejected request.
 */
export function continueLate(app: FastifyInstance): void {
  app.decorateRequest('isToldToContinue', false)
  app.server.on('checkContinue', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    // An upload first needs a place.
    if (!request.routeOptions.config.multipart) sayContinue(request, reply)
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // The client may or may not send the body. The next bytes could be the body or another request.
    if (isWaiting(request) && request.raw.readableLength === 0) reply.header('connection', 'close')
    done(null, payload)
  })
}

export function sayContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (!isWaiting(request)) return
  request.isToldToContinue = true
  reply.raw.writeContinue()
}

function isWaiting({ headers, raw, isToldToContinue }: FastifyRequest): boolean {
  const expects = headers.expect !== undefined && raw.httpVersion === '1.1'
  return expects && !isToldToContinue
}
