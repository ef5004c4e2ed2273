import type { FastifyReply, FastifyRequest } from 'fastify'
import { SIGN_IN_SECONDS } from '../features/accounts/sign-ins.store.ts'

const NAME = 'docent_sign_in'

export function signInSecret(request: FastifyRequest): string | undefined {
  const cookies = request.headers.cookie?.split(/; */) ?? []
  return cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1)
}

export function setSignInCookie(request: FastifyRequest, reply: FastifyReply, secret: string) {
  reply.header('set-cookie', cookie(request, secret, SIGN_IN_SECONDS))
}

export function clearSignInCookie(request: FastifyRequest, reply: FastifyReply) {
  reply.header('set-cookie', cookie(request, '', 0))
}

/** Scripts cannot read it, and other sites cannot make browsers send it. */
function cookie(request: FastifyRequest, value: string, seconds: number): string {
  // A client that lies about this only keeps its own cookie from being sent.
  const isHttps = request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'
  return `${NAME}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isHttps ? '; Secure' : ''}`
}
