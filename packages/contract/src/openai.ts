import { z } from 'zod'
import { text, UuidOut } from './field.ts'

const Part = z.object({ type: z.string(), text: z.string().optional() })

export const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(Part)]).nullish(),
})

/** The fields of OpenAI's request that Docent uses. It ignores all others, as it does everywhere. */
export const ChatCompletion = z.object({
  model: z
    .string()
    .min(1)
    .meta({ description: 'The uuid of a chatbot, or its name.', example: 'Museum guide' }),
  messages: z
    .array(ChatMessage)
    .min(1)
    .max(2_000)
    .meta({
      description: 'The last message is the question. System messages are ignored.',
      example: [{ role: 'user', content: 'When are you open?' }],
    }),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'must be 1').nullish(),
  response_format: z
    .object({ type: z.string() })
    .nullish()
    .meta({ description: 'Only `text` is supported.', example: { type: 'text' } }),
  tool_choice: z
    .union([z.string(), z.object({ type: z.string() })])
    .nullish()
    .meta({ description: '`none` or `auto`: a chatbot calls no tools.', example: 'auto' }),
})
export type ChatCompletion = z.infer<typeof ChatCompletion>

export const OpenAiModel = z
  .object({
    id: UuidOut,
    object: z.literal('model'),
    created: z.int().meta({ description: 'Seconds since 1970.', example: 1_763_169_123 }),
    owned_by: z.literal('docent'),
    name: z.string().meta({ example: 'Museum guide' }),
  })
  .meta({ id: 'OpenAiModel' })

export const OpenAiModelList = z.object({ object: z.literal('list'), data: z.array(OpenAiModel) })

export const Completion = z
  .object({
    id: z.string().meta({
      description: '`chatcmpl-` and the UUID of the message.',
      example: 'chatcmpl-019a8f3c5b7e7c41a2d3e4f5a6b7c8d9',
    }),
    object: z.literal('chat.completion'),
    created: z.int().meta({ example: 1_763_169_123 }),
    model: z.string().meta({ example: 'Museum guide' }),
    system_fingerprint: z.null(),
    choices: z.array(
      z.object({
        index: z.int().meta({ example: 0 }),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().meta({ example: 'Daily from 9 to 17. [1.1]' }),
          refusal: z.null(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(['stop', 'length', 'content_filter']).meta({ example: 'stop' }),
      }),
    ),
    usage: z.object({
      prompt_tokens: z.int().meta({ example: 420 }),
      completion_tokens: z.int().meta({ example: 12 }),
      total_tokens: z.int().meta({ example: 432 }),
    }),
  })
  .meta({ id: 'ChatCompletion' })
export type Completion = z.infer<typeof Completion>

export const CompletionReply = {
  description: 'The whole answer, or its chunks with `stream`.',
  content: {
    'application/json': { schema: Completion },
    'text/event-stream': {
      schema: z.string().meta({
        description: 'Chunks in the format of OpenAI, then `[DONE]`.',
        example:
          'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Daily"}}]}\n\n',
      }),
    },
  },
}

export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string().meta({ example: 'There is no such chatbot.' }),
      type: z.enum(['invalid_request_error', 'requests', 'insufficient_quota', 'server_error']),
      param: z.string().nullable().meta({ example: 'model' }),
      code: z.string().nullable().meta({ example: 'model_not_found' }),
    }),
  })
  .meta({ id: 'OpenAiError' })

export const Question = text({ min: 1, max: 32_000, trim: true })
