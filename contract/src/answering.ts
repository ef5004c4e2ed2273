import { z } from 'zod'

const settings = {
  pairs_override: z.boolean().meta({
    description:
      'A question-and-answer pair that asks the same answers word for word, and no language model is called.',
    example: true,
  }),
}

export const Answering = z
  .object({
    ...settings,
    model_used: z.string().meta({
      description:
        'The model that answers now: the chatbot’s own, or the server’s default while that is not available.',
      example: 'docent-quote',
    }),
  })
  .meta({
    id: 'Answering',
    description: 'How a chatbot answers, beside the settings of its record.',
  })
export type Answering = z.infer<typeof Answering>

export const AnsweringUpdate = z.object(settings).partial()
export type AnsweringUpdate = z.infer<typeof AnsweringUpdate>
