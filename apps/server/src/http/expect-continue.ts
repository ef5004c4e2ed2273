import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    isToldToContinue: boolean
  }
}

/**
 * A client that sends `Expect: 100-continue` is told to go on when its body is about to be read, so that it need not send
 * the body of a request that is refused.
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
    // The client may send the body or not: what follows on the connection could be that or its next request.
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
