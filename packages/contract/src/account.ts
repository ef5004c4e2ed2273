import { z } from 'zod'
import { TimestampOut, UuidOut } from './field.ts'

export const Use = z
  .object({
    rows: z.int().meta({
      description: 'The number of chatbots, sources, sessions and messages.',
      example: 1_234,
    }),
    max_rows: z.int().nullable().meta({ description: 'Null: no limit.', example: 100_000 }),
    bytes: z.int().meta({
      description: 'The size of uploaded files, texts of sources, and messages.',
      example: 5_242_880,
    }),
    max_bytes: z.int().nullable().meta({ description: 'Null: no limit.', example: 1_073_741_824 }),
    chatbots: z.int().meta({ example: 2 }),
    sources: z.int().meta({ example: 32 }),
    sessions: z.int().meta({ example: 200 }),
    messages: z.int().meta({ example: 1_000 }),
  })
  .meta({ id: 'Use', description: 'The storage use of an account.' })
export type Use = z.infer<typeof Use>

export const User = z
  .object({
    uuid: UuidOut,
    name: z.string().meta({ example: 'owner' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const Model = z
  .object({
    name: z.string().meta({ example: 'docent-quote' }),
    provider: z.string().meta({ example: 'docent' }),
    default: z.boolean().meta({ example: true }),
  })
  .meta({ id: 'Model' })
export type Model = z.infer<typeof Model>

export const Connection = z
  .object({
    peer: z.string().meta({
      description: 'The address of the connection.',
      example: '10.1.0.2',
    }),
    caller: z.string().meta({
      description: 'The address for rate limits: from a trusted proxy, otherwise the peer.',
      example: '203.0.113.7',
    }),
    forwarded_for: z
      .string()
      .nullable()
      .meta({ description: 'The address from a proxy, trusted or not.', example: '203.0.113.7' }),
    protocol: z.string().meta({ example: 'https' }),
    host: z.string().meta({ example: 'chat.example.org' }),
  })
  .meta({
    id: 'Connection',
    description: 'How the request reaches the server, with the forwarded headers that it trusts.',
  })
export type Connection = z.infer<typeof Connection>
