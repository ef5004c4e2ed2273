import type { Scope } from '@docent/contract/tokens.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { findSignedIn } from '../features/accounts/sign-ins.store.ts'
import { type Caller, findCaller, recordTokenUse } from '../features/tokens/tokens.store.ts'
import type { Services } from '../services.ts'
import { assignConnection } from './guards/idle-connections.ts'
import { RequestCounter } from './guards/limit-requests.ts'
import { refuseOtherSites } from './guards/origin.ts'
import { signInSecret } from './sign-in-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** Whether the token or sign-in is still valid. Missing on routes that need neither. */
    isStillAllowed?(): Promise<boolean>
  }
  interface FastifyContextConfig {
    /**
     * The scopes that a token needs to call this route. `any`: the route decides. A write route that returns a record
     * also needs `read`, or an update that changes nothing would be a way to read.
     */
    scope?: Scope | readonly Scope[] | 'any'
    /** The route takes a multipart form instead of JSON. */
    multipart?: boolean
  }
}

const RECORD_USE_EVERY_MS = 60_000

/** Rejects requests to the app's routes unless a token or sign-in with the right scopes comes along. */
export type RequireToken = (app: FastifyInstance) => void

/** Created once for all APIs of a server, so that a token's requests are counted together. */
export function requireTokens({ db, log, config, requestTurns }: Services): RequireToken {
  const counter = config.limitPerToken && new RequestCounter(config.limitPerToken, db)
  const lastRecorded = new Map<string, number>()
  const recordUse = ({ tokenId }: Caller) => {
    const now = Date.now()
    if (now - (lastRecorded.get(tokenId) ?? 0) < RECORD_USE_EVERY_MS) return
    lastRecorded.set(tokenId, now)
    recordTokenUse(db, tokenId, now).catch((error) =>
      log.error({ err: error }, 'token use not recorded'),
    )
  }
  return (app) => {
    app.decorateRequest('caller', null as unknown as Caller)
    app.decorateRequest('isStillAllowed', function () {
      return identify(db, this).then(() => true, isAnotherFailure)
    })
    app.addHook('onRoute', (route) => {
      const scope = route.config?.scope ?? 'write'
      const authorize = async (request: FastifyRequest) => {
        const caller = await identify(db, request)
        if (scope !== 'any') requireScope(caller, ...[scope].flat())
        if (counter) await counter.count(caller.tokenId, 'with this token')
        request.caller = caller
        assignConnection(request.raw.socket, caller.userId)
        await requestTurns.take(caller.userId)
        if (caller.signInId === undefined) recordUse(caller)
      }
      route.onRequest = [authorize, ...[route.onRequest ?? []].flat()]
    })
  }
}

/** Answers this fast need no second check of the caller. */
const AT_ONCE_MS = 1_000

/** Throws if access ended while the caller waited for an answer. `since` is a time of `performance.now()`. */
export async function refuseIfEnded(request: FastifyRequest, since: number): Promise<void> {
  if (performance.now() - since < AT_ONCE_MS) return
  if ((await request.isStillAllowed?.()) === false)
    throw unauthorized('The token or sign-in ended during the answer.')
}

export function requireScope(caller: Caller, ...scopes: Scope[]): void {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length === 0) return
  const noun = missing.length === 1 ? 'scope' : 'scopes'
  throw new AppError('forbidden', `This token lacks the ${noun} "${missing.join('" and "')}".`)
}

/** A caller stays allowed if the token cannot be looked up, for example while the database is unreachable. */
function isAnotherFailure(error: unknown): boolean {
  return !(error instanceof AppError && error.code === 'unauthorized')
}

/** Identifies the caller by token. Pages of this server send a sign-in cookie instead. */
async function identify(db: Services['db'], request: FastifyRequest): Promise<Caller> {
  const { authorization, 'sec-fetch-site': site } = request.headers
  const secret = signInSecret(request)
  if (authorization === undefined && (secret !== undefined || site === 'same-origin')) {
    refuseOtherSites(request)
    if (secret === undefined) throw unauthorized('You are not signed in.')
    const signedIn = await findSignedIn(db, secret)
    if (!signedIn) throw unauthorized('You are no longer signed in. Sign in again.')
    return signedIn
  }
  const caller = await findCaller(db, bearerToken(request))
  if (!caller) throw unauthorized('The token is unknown, expired or revoked.')
  return caller
}

export function bearerToken(request: FastifyRequest): string {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) throw unauthorized('Send an API token: "Authorization: Bearer <token>".')
  return token
}

export function unauthorized(
  message: string,
  code: 'unauthorized' | 'wrong_password' = 'unauthorized',
): AppError {
  return new AppError(code, message, { headers: { 'www-authenticate': 'Bearer' } })
}
