import { timingSafeEqual } from 'node:crypto'
import { Success } from '@docent/contract/field.ts'
import { Credentials, NewAccount, SignInState } from '@docent/contract/sign-in.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { AppError } from '../../errors.ts'
import { unauthorized } from '../../http/auth.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { allowOwnOrigin } from '../../http/guards/cors.ts'
import { networkOf } from '../../http/guards/limit-requests.ts'
import { refuseOtherSites } from '../../http/guards/origin.ts'
import { Throttle } from '../../http/guards/throttle.ts'
import { clearSignInCookie, setSignInCookie, signInSecret } from '../../http/sign-in-cookie.ts'
import type { Services } from '../../services.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { createSignIn, endSignIn, findSignedIn } from './sign-ins.store.ts'
import {
  createFirstAccount,
  findUserByName,
  getUser,
  hasAccount,
  type User,
} from './users.store.ts'

// 15 minutes.
const windowMs = 900_000
// Large enough to sign in. Callers without an account cannot make the server hold more.
const LARGEST_BODY = 16_384

/** Signs users in with a cookie that scripts cannot read. It replaces a token, on pages of this server only. */
export function signInRoutes({ db, setupCode }: Services): FastifyPluginAsyncZod {
  // Counting by name and network keeps attackers from locking the owner out. Counting by network covers many names.
  const perName = new Throttle(db, { name: 'sign-in', most: 10, windowMs })
  const perNetwork = new Throttle(db, { name: 'sign-in from', most: 50, windowMs })

  async function signedInUser(request: FastifyRequest): Promise<User | undefined> {
    const secret = signInSecret(request)
    const caller = secret === undefined ? undefined : await findSignedIn(db, secret)
    return caller && getUser(db, caller.userId)
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply, user: User) {
    setSignInCookie(request, reply, await createSignIn(db, user.id))
    return stateOf(user)
  }

  return async (app) => {
    app.addHook('onRequest', allowOwnOrigin)
    app.addHook('onRoute', (route) => {
      route.bodyLimit = LARGEST_BODY
    })

    app.get('/auth/state', {
      schema: {
        summary: 'Fetch the signed-in user',
        security: [],
        response: { 200: SignInState, ...errors() },
      },
      handler: async (request) => ({
        ...stateOf(await signedInUser(request)),
        needs_account: !(await hasAccount(db)),
      }),
    })

    app.post('/auth/setup', {
      schema: {
        summary: 'Create the first account',
        description:
          'Works once, with the code in the link that the server prints at startup. Also signs in.',
        security: [],
        body: NewAccount,
        response: { 200: SignInState, ...errors(400, 409, 413, 415, 422, 429) },
      },
      handler: async (request, reply) => {
        refuseOtherSites(request)
        await perNetwork.take(networkOf(request.ip))
        const { name, password, code } = request.body
        if (await hasAccount(db)) {
          throw new AppError('conflict', 'An account already exists. Sign in.')
        }
        if (!isSame(code, setupCode)) {
          throw new AppError(
            'forbidden',
            'Open the link that the server printed at its last start. It contains the setup code.',
          )
        }
        const account = { name, password: await hashPassword(password) }
        return signIn(request, reply, await createFirstAccount(db, account))
      },
    })

    app.post('/auth/sign-in', {
      schema: {
        summary: 'Sign in',
        description: 'Sets an HttpOnly cookie that replaces a token on pages of this server.',
        security: [],
        body: Credentials,
        response: { 200: SignInState, ...errors(400, 413, 415, 422, 429) },
      },
      handler: async (request, reply) => {
        refuseOtherSites(request)
        const network = networkOf(request.ip)
        const { name, password } = request.body
        const tries = JSON.stringify([name, network])
        await perNetwork.take(network)
        await perName.take(tries)
        const user = await findUserByName(db, name)
        if (!(await verifyPassword(password, user?.password ?? null))) {
          throw unauthorized('The username or the password is wrong.', 'wrong_password')
        }
        await perName.forget(tries)
        // Tries at other names still count: a valid account must not allow guessing at others.
        await perNetwork.giveBack(network)
        return signIn(request, reply, user!)
      },
    })

    app.post('/auth/sign-out', {
      schema: {
        summary: 'Sign out',
        security: [],
        response: { 200: Success, ...errors() },
      },
      handler: async (request, reply) => {
        refuseOtherSites(request)
        const secret = signInSecret(request)
        const caller = secret === undefined ? undefined : await findSignedIn(db, secret)
        if (caller) await endSignIn(db, caller.signInId!)
        clearSignInCookie(request, reply)
        return { success: true as const }
      },
    })
  }
}

function stateOf(user: User | undefined) {
  return {
    user: user ? { uuid: user.id, name: user.name } : null,
    needs_account: false,
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
