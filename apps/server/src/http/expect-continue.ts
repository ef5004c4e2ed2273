import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    hasSentContinue: boolean
  }
}

/**
 * Sends `100 Continue` only when the body is about to be read. Clients that wait for it need not send the body of a
 * rejected request.
 */
export function deferContinue(app: FastifyInstance): void {
  app.decorateRequest('hasSentContinue', false)
  app.server.on('checkContinue', (request, response) => {
    app.server.emit('request', request, response)
  })
  app.addHook('preParsing', (request, reply, payload, done) => {
    // An upload first needs a place.
    if (!request.routeOptions.config.multipart) sendContinue(request, reply)
    done(null, payload)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // The client may or may not send the body. The next bytes could be the body or another request.
    if (isWaiting(request) && request.raw.readableLength === 0) reply.header('connection', 'close')
    done(null, payload)
  })
}

export function sendContinue(request: FastifyRequest, reply: FastifyReply): void {
  if (!isWaiting(request)) return
  request.hasSentContinue = true
  reply.raw.writeContinue()
}

function isWaiting({ headers, raw, hasSentContinue }: FastifyRequest): boolean {
  const expects = headers.expect !== undefined && raw.httpVersion === '1.1'
  return expects && !hasSentContinue
}
