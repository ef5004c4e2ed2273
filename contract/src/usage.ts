import { z } from 'zod'

export const Usage = z
  .object({
    month: z.string().meta({ description: 'In UTC.', example: '2026-11' }),
    messages: z.int().meta({ description: 'Answers by a language model.', example: 12 }),
    prompt_tokens: z.int().meta({ example: 9000 }),
    completion_tokens: z.int().meta({ example: 1500 }),
    total_tokens: z.int().meta({ example: 10_500 }),
    token_budget: z.int().nullable().meta({ description: 'Null: no limit.', example: 1_000_000 }),
  })
  .meta({ id: 'Usage' })
export type Usage = z.infer<typeof Usage>

export const Budget = z.object({
  token_budget: z
    .int()
    .min(0)
    .max(1_000_000_000_000)
    .nullable()
    .meta({ description: 'Tokens a month; null for no limit.', example: 1_000_000 }),
})
