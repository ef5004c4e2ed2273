import { z } from 'zod'
import { type AppError, invalid, type WrongField } from '../errors.ts'
import type { PastTurn } from '../models/catalogue.ts'
import { errorsAs, text, UuidOut } from './common.schemas.ts'

const Part = z.object({ type: z.string(), text: z.string().optional() })

const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(Part)]).nullish(),
})

/** What of OpenAI's request has a meaning here; the rest is ignored, as unknown fields are everywhere. */
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
      description: 'The last is the question. Instructions are left out.',
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

/** A client that asks for JSON, or forces the call of a tool, cannot work with the text that it would get. */
export function refuseUnsupported({
  response_format,
  tool_choice,
}: z.infer<typeof ChatCompletion>): void {
  const refused: WrongField[] = []
  const refuse = (loc: string[], msg: string) =>
    refused.push({ loc: ['body', ...loc], msg, type: 'unsupported_value' })
  if (response_format && response_format.type !== 'text')
    refuse(['response_format', 'type'], 'only "text" is supported')
  if (tool_choice && tool_choice !== 'none' && tool_choice !== 'auto')
    refuse(['tool_choice'], 'only "none" and "auto" are supported')
  if (refused.length > 0) throw invalid(refused)
}

export const ModelRecord = z
  .object({
    id: UuidOut,
    object: z.literal('model'),
    created: z.int().meta({ description: 'Seconds since 1970.', example: 1_763_169_123 }),
    owned_by: z.literal('docent'),
    name: z.string().meta({ example: 'Museum guide' }),
  })
  .meta({ id: 'OpenAiModel' })

export const ModelList = z.object({ object: z.literal('list'), data: z.array(ModelRecord) })

export const Completion = z
  .object({
    id: z.string().meta({
      description: 'With the uuid of the message behind `chatcmpl-`.',
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

export const CompletionReply = {
  description: 'The whole answer, or, with `stream`, its pieces while it is given.',
  content: {
    'application/json': { schema: Completion },
    'text/event-stream': {
      schema: z.string().meta({
        description: 'Chunks of OpenAI’s kind, and `[DONE]` behind the last.',
        example:
          'data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Daily"}}]}\n\n',
      }),
    },
  },
}

const OpenAiError = z
  .object({
    error: z.object({
      message: z.string().meta({ example: 'There is no such chatbot.' }),
      type: z.enum(['invalid_request_error', 'requests', 'insufficient_quota', 'server_error']),
      param: z.string().nullable().meta({ example: 'model' }),
      code: z.string().nullable().meta({ example: 'model_not_found' }),
    }),
  })
  .meta({ id: 'OpenAiError' })

/** Failures as OpenAI's clients read them. */
export function openAiErrors(...statuses: number[]) {
  return errorsAs(OpenAiError, statuses)
}

const Question = text({ min: 1, max: 32_000, trim: true })

export interface Conversation {
  question: string
  history: PastTurn[]
}

/**
 * The last words of the user are the question, what was said before is the conversation. Instructions are left out: a
 * chatbot has its owner's, and who talks to it has no say in them.
 */
export function readConversation({ messages }: z.infer<typeof ChatCompletion>): Conversation {
  const history: PastTurn[] = []
  let asked: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'user') asked.push(questionOf(content, index))
    else if (role === 'assistant' && asked.length > 0) {
      const said = textOf(content)
      // Whoever called a tool first has not answered yet.
      if (said === '' && messages[index + 1]?.role !== 'user') continue
      if (said !== '') history.push({ question: asked.join('\n\n'), answer: said })
      asked = []
    }
  }
  const question = Question.safeParse(asked.join('\n\n'))
  if (question.success) return { question: question.data, history }
  throw wrongMessage(
    messages.length - 1,
    asked.length === 0 ? 'must be the user’s' : question.error.issues[0]!.message,
  )
}

type Content = z.infer<typeof ChatMessage>['content']

/** A picture that nobody looks at is not to be asked about. */
function questionOf(content: Content, index: number): string {
  const parts = typeof content === 'string' ? [] : (content ?? [])
  if (parts.some(({ type, text }) => type !== 'text' || text === undefined)) {
    throw wrongMessage(index, 'can only be text')
  }
  return textOf(content)
}

/** Of an answer, what is no text (a refusal, the call of a tool) is left out. */
function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}

function wrongMessage(index: number, msg: string): AppError {
  return invalid([{ loc: ['body', 'messages', index, 'content'], msg, type: 'custom' }])
}
