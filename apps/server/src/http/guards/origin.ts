import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

/** Whether a page of another site sent the request. Programs that are not browsers send no such header. */
function isFromElsewhere(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && !isOwnOrigin(request, origin)
}

/** Uses the Host header, which pages cannot set. Pages can set what proxies add, such as X-Forwarded-Host. */
export function isOwnOrigin(request: FastifyRequest, origin: string): boolean {
  return URL.parse(origin)?.host === request.headers.host
}

/** Browsers send the cookie with requests of any page. Only pages of this server may use it. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (isFromElsewhere(request)) {
    throw new AppError('forbidden', 'Requests from pages of other sites are not allowed.')
  }
}
