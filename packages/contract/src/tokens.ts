import { z } from 'zod'
import { TimestampOut, text, UuidOut } from './field.ts'

export const SCOPES = ['read', 'write', 'chat'] as const
export const Scope = z.enum(SCOPES).meta({ title: 'Scope' })
export type Scope = z.infer<typeof Scope>

export const NewToken = z
  .object({
    name: text({ min: 1, max: 100, trim: true }).meta({ example: 'website' }),
    scopes: z
      .array(Scope)
      .min(1)
      .optional()
      .meta({
        description: 'The permissions of the token (default: all).',
        example: ['read', 'chat'],
      }),
    expires_in_days: z
      .int()
      .min(1)
      .max(3_650)
      .optional()
      .meta({ description: 'Without it, the token does not expire.', example: 90 }),
  })
  .meta({ title: 'NewToken' })
export type NewToken = z.infer<typeof NewToken>

export const Token = z
  .object({
    uuid: UuidOut,
    name: z.string().meta({ example: 'website' }),
    hint: z
      .string()
      .meta({ description: 'The first characters of the token.', example: 'docent_a1B2' }),
    scopes: z.array(Scope).meta({ example: ['read', 'chat'] }),
    created_at: TimestampOut,
    expires_at: TimestampOut.nullable(),
    last_used_at: TimestampOut.nullable(),
  })
  .meta({ id: 'Token' })
export type Token = z.infer<typeof Token>

export const CreatedToken = z
  .object({
    uuid: UuidOut,
    token: z.string().meta({ description: 'Shown only once.', example: 'docent_…' }),
  })
  .meta({ id: 'CreatedToken' })
export type CreatedToken = z.infer<typeof CreatedToken>
