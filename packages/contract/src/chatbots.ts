import { z } from 'zod'
import { TimestampOut, text, UuidOut } from './field.ts'

export const Visibility = z.enum(['private', 'public', 'hybrid']).meta({ title: 'Visibility' })
export type Visibility = z.infer<typeof Visibility>

export const ChatbotSettings = z
  .object({
    model: z
      .string()
      .meta({ description: 'A name from the list of models.', example: 'docent-quote' }),
    prompt: z.string().meta({ example: '' }),
    temperature: z.number().meta({ description: '0 to 2.', example: 0 }),
    rate_limit: z.tuple([z.number(), z.number()]).meta({
      description: 'Number of messages and the seconds in which they may be sent.',
      example: [20, 240],
    }),
    rate_limit_message: z.string().meta({ example: 'Too many messages' }),
    show_citations: z.boolean().meta({ example: false }),
    visibility: Visibility.meta({ example: 'private' }),
  })
  .meta({ id: 'ChatbotSettings' })
export type ChatbotSettings = z.infer<typeof ChatbotSettings>

export const Chatbot = z
  .object({
    uuid: UuidOut,
    name: z.string().meta({ example: 'Museum guide' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
    meta: ChatbotSettings,
  })
  .meta({ id: 'Chatbot' })
export type Chatbot = z.infer<typeof Chatbot>

const name = text({ min: 1, max: 255, trim: true }).meta({ example: 'Museum guide' })
const whole = (max: number) => z.int().min(1).max(max)

/** The schema accepts any name. The server checks whether the model exists. */
export const ModelName = text({ min: 1, max: 100 }).meta({ example: 'docent-quote' })

const settings = {
  model: ModelName.optional(),
  prompt: text({ max: 32_000 }).optional().meta({ example: 'Answer as a friendly guide.' }),
  temperature: z.number().min(0).max(2).optional().meta({ example: 0.2 }),
  rate_limit: z
    .tuple([whole(10_000), whole(86_400)], 'must be two whole numbers: messages, seconds')
    .optional()
    .meta({
      description: 'Number of messages and the seconds in which they may be sent.',
      example: [20, 240],
    }),
  rate_limit_message: text({ max: 2_000 }).optional().meta({ example: 'Too many messages' }),
  show_citations: z.boolean().optional().meta({ example: true }),
  show_citation: z
    .boolean()
    .optional()
    .meta({ description: 'Another spelling of show_citations.' }),
  visibility: Visibility.optional().meta({ example: 'private' }),
}

/** Settings can be flat, as documented, or nested under `meta`. Flat values win. */
export const NewChatbot = z.object({ name, ...settings, meta: z.object(settings).optional() })
export type NewChatbot = z.infer<typeof NewChatbot>

/** Accepts a model that no longer exists, so that a client can send a record back unchanged. The chatbot keeps it. */
export const ChatbotUpdate = z.object({
  name: name.optional(),
  ...settings,
  meta: z.object(settings).optional(),
})
export type ChatbotUpdate = z.infer<typeof ChatbotUpdate>

const answering = {
  pairs_override: z.boolean().meta({
    description:
      'Whether a question-and-answer pair with the same question answers word for word, without a language model.',
    example: true,
  }),
}

export const Answering = z
  .object({
    ...answering,
    model_used: z.string().meta({
      description:
        'The model that answers now: the chatbot’s model, or the server default if that is not available.',
      example: 'docent-quote',
    }),
  })
  .meta({
    id: 'Answering',
    description: 'Settings for answers, in addition to those of the chatbot record.',
  })
export type Answering = z.infer<typeof Answering>

export const AnsweringUpdate = z.object(answering).partial()
export type AnsweringUpdate = z.infer<typeof AnsweringUpdate>
