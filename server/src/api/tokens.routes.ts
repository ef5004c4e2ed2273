import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Row } from '../database/tables.ts'
import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'
import { type Caller, createToken, listOwnTokens, revokeOwnToken, SCOPES } from '../store/tokens.ts'
import { errors, Success, TimestampOut, text, UuidOut, UuidParams } from './common.schemas.ts'
import { timestamp } from './timestamp.ts'

const DAY_MS = 86_400_000

export const NewToken = z.object({
  name: text({ min: 1, max: 100, trim: true }).meta({ example: 'website' }),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .optional()
    .meta({ description: 'What it may do; all by default.', example: ['read', 'chat'] }),
  expires_in_days: z
    .int()
    .min(1)
    .max(3_650)
    .optional()
    .meta({ description: 'Without it the token does not end by itself.', example: 90 }),
})

export const TokenRecord = z
  .object({
    uuid: UuidOut,
    name: z.string().meta({ example: 'website' }),
    hint: z.string().meta({ description: 'How it begins.', example: 'docent_a1B2' }),
    scopes: z.array(z.enum(SCOPES)).meta({ example: ['read', 'chat'] }),
    created_at: TimestampOut,
    expires_at: TimestampOut.nullable(),
    last_used_at: TimestampOut.nullable(),
  })
  .meta({ id: 'Token' })

export function tokenRoutes({ db }: Services): FastifyPluginAsyncZod {
  const tags = ['Account']

  return async (app) => {
    app.get('/tokens', {
      config: { scope: 'read' },
      schema: {
        summary: 'Fetch your API tokens',
        tags,
        response: { 200: z.array(TokenRecord), ...errors() },
      },
      handler: async ({ caller }) => (await listOwnTokens(db, caller.userId)).map(toTokenRecord),
    })

    app.post('/token/create', {
      config: { scope: 'write' },
      schema: {
        summary: 'Create an API token',
        description:
          'The token itself is in this answer only. It can do no more than the token that makes it, and ends no later.',
        tags,
        body: NewToken,
        response: {
          200: z.object({ uuid: UuidOut, token: z.string().meta({ example: 'docent_…' }) }),
          ...errors(400, 413, 415, 422),
        },
      },
      handler: async ({ caller, body }) => {
        const scopes = body.scopes ?? SCOPES.filter((scope) => caller.scopes.includes(scope))
        const beyond = scopes.filter((scope) => !caller.scopes.includes(scope))
        if (beyond.length > 0) {
          throw new AppError('forbidden', `You lack the scope "${beyond.join('", "')}" yourself.`)
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
        description: 'It ends at once.',
        tags,
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

/** Otherwise whoever gets hold of a token for a day has one for ever. */
function endOf({ expiresAt = null }: Caller, days: number | undefined): number | null {
  const asked = days === undefined ? null : Date.now() + days * DAY_MS
  if (asked === null || expiresAt === null) return asked ?? expiresAt
  return Math.min(asked, expiresAt)
}

function toTokenRecord(token: Row<'tokens'>): z.infer<typeof TokenRecord> {
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
