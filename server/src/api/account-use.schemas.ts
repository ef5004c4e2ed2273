import { z } from 'zod'

export const UseRecord = z
  .object({
    rows: z.int().meta({
      description: 'Chatbots, sources, sessions and messages together.',
      example: 1_234,
    }),
    max_rows: z.int().nullable().meta({ description: 'Null: no limit.', example: 100_000 }),
    bytes: z.int().meta({
      description: 'Of uploaded files, the texts of sources, and conversations.',
      example: 5_242_880,
    }),
    max_bytes: z.int().nullable().meta({ description: 'Null: no limit.', example: 1_073_741_824 }),
    chatbots: z.int().meta({ example: 2 }),
    sources: z.int().meta({ example: 32 }),
    sessions: z.int().meta({ example: 200 }),
    messages: z.int().meta({ example: 1_000 }),
  })
  .meta({ id: 'Use' })
