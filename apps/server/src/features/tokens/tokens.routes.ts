import { Success, UuidParams } from '@docent/contract/field.ts'
import { CreatedToken, NewToken, SCOPES, Token } from '@docent/contract/tokens.ts'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Row } from '../../database/tables.ts'
import { AppError } from '../../errors.ts'
import { errors } from '../../http/errors/error-responses.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Services } from '../../services.ts'
import { type Caller, createToken, listOwnTokens, revokeOwnToken } from './tokens.store.ts'

const DAY_MS = 86_400_000

export function tokenRoutes({ db }: Services): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/tokens', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch your API tokens',
        response: { 200: Token.array(), ...errors() },
      },
      handler: async ({ caller }) => (await listOwnTokens(db, caller.userId)).map(toTokenRecord),
    })

    app.post('/token/create', {
      config: { scope: 'write' },
      schema: {
        summary: 'Create an API token',
        description:
          'Only this response contains the token. It cannot have more scopes than the token that creates it, or expire later.',
        body: NewToken,
        response: { 200: CreatedToken, ...errors(400, 413, 415, 422) },
      },
      handler: async ({ caller, body }) => {
        const scopes = body.scopes ?? SCOPES.filter((scope) => caller.scopes.includes(scope))
        const beyond = scopes.filter((scope) => !caller.scopes.includes(scope))
        if (beyond.length > 0) {
          throw new AppError(
            'forbidden',
            `Your own token lacks the scope "${beyond.join('", "')}".`,
          )
        }
        const { id, token } = await createToken(db, {
          userId: caller.userId,
          name: body.name,
          scopes,
          expiresAt: endOf(caller, body.expires_in_days),
        })
        return { uuid: id, token }
      },
    })

    app.post('/token/:uuid/revoke', {
      config: { scope: 'write' },
      schema: {
        summary: 'Revoke an API token',
        description: 'The token stops working immediately.',
        params: UuidParams,
        response: { 200: Success, ...errors(404) },
      },
      handler: async ({ caller, params }) => {
        await revokeOwnToken(db, caller.userId, params.uuid)
        return { success: true as const }
      },
    })
  }
}

/** A token cannot create one that ends later. Otherwise a one-day token would give permanent access. */
function endOf({ expiresAt = null }: Caller, days: number | undefined): number | null {
  const asked = days === undefined ? null : Date.now() + days * DAY_MS
  if (asked === null || expiresAt === null) return asked ?? expiresAt
  return Math.min(asked, expiresAt)
}

function toTokenRecord(token: Row<'tokens'>): Token {
  const orNull = (ms: number | null) => (ms === null ? null : timestamp(ms))
  return {
    uuid: token.id,
    name: token.name,
    hint: token.hint,
    scopes: SCOPES.filter((scope) => token.scopes.split(',').includes(scope)),
    created_at: timestamp(token.created_at),
    expires_at: orNull(token.expires_at),
    last_used_at: orNull(token.last_used_at),
  }
}
