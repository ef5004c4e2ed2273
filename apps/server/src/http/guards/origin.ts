import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

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
