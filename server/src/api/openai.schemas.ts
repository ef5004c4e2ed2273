import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { PastTurn } from '../models/catalogue.ts'
import { text } from './common.schemas.ts'

const Part = z.object({ type: z.string(), text: z.string().optional() })

const ChatMessage = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.union([z.string(), z.array(Part)]).nullish(),
})

/** What of OpenAI's request has a meaning here; the rest is ignored, as unknown fields are everywhere. */
export const ChatCompletion = z.object({
  model: z.string().min(1),
  messages: z.array(ChatMessage).min(1).max(2_000),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  n: z.literal(1, 'must be 1').nullish(),
})

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
    const said = textOf(content, index)
    if (role === 'user') asked.push(said)
    else if (role === 'assistant' && asked.length > 0) {
      if (said !== '') history.push({ question: asked.join('\n\n'), answer: said })
      asked = []
    }
  }
  const question = Question.safeParse(asked.join('\n\n'))
  if (question.success) return { question: question.data, history }
  throw invalid(
    messages.length - 1,
    asked.length === 0 ? 'must be the user’s' : question.error.issues[0]!.message,
  )
}

function textOf(content: z.infer<typeof ChatMessage>['content'], index: number): string {
  if (typeof content === 'string') return content
  const parts = content ?? []
  if (parts.some(({ type, text }) => type !== 'text' || text === undefined)) {
    throw invalid(index, 'can only be text')
  }
  return parts.map((part) => part.text).join('')
}

function invalid(index: number, msg: string): AppError {
  const loc = ['body', 'messages', index, 'content']
  return new AppError('invalid', `Not valid: messages.${index}: ${msg}`, {
    details: [{ loc, msg, type: 'custom' }],
  })
}
