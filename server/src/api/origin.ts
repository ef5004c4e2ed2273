import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Whether a page of this very server asks. Programs that are no browser send neither header, and bring no cookies. */
function isFromElsewhere(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnOrigin(request, origin)
}

/** By the header that no page can set: what proxies say beside it (X-Forwarded-Host), a page can say as well. */
export function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  return URL.parse(origin)?.host === request.headers.host
}

/** A browser sends the cookie for whatever page asks; only ours may. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (isFromElsewhere(request)) {
    throw new AppError('forbidden', 'A page of another site may not do this.')
  }
}

const LOOPBACK_NAME = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/
const LOOPBACK_ADDRESS = /^(::ffff:)?127\.|^::1$/

/**
 * Whether the caller sits at this machine: the connection comes from it, no proxy has brought it, and it was
 * addressed by a name that only this machine has, so that no name on the Internet which leads here passes for it.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers, socket, raw } = request
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded ?? headers.via
  return (
    forwarded === undefined &&
    // No browser speaks HTTP/1.0; nginx does, to what is behind it, and may say nothing of whom it speaks for.
    raw.httpVersion !== '1.0' &&
    LOOPBACK_ADDRESS.test(socket.remoteAddress ?? '') &&
    LOOPBACK_NAME.test(headers.host ?? '')
  )
}
