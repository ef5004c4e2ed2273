import { type ChatCompletion, type ChatMessage, Question } from '@docent/contract/openai.ts'
import type { z } from 'zod'
import { type AppError, invalid, type WrongField } from '../../errors.ts'
import type { PastTurn } from '../../models/model-catalog.ts'

/** Clients that ask for JSON or force a tool call could not use the text that they would get. */
export function refuseUnsupported({ response_format, tool_choice }: ChatCompletion): void {
  const refused: WrongField[] = []
  const refuse = (loc: string[], msg: string) =>
    refused.push({ loc: ['body', ...loc], msg, type: 'unsupported_value' })
  if (response_format && response_format.type !== 'text')
    refuse(['response_format', 'type'], 'only "text" is supported')
  if (tool_choice && tool_choice !== 'none' && tool_choice !== 'auto')
    refuse(['tool_choice'], 'only "none" and "auto" are supported')
  if (refused.length > 0) throw invalid(refused)
}

export interface Conversation {
  question: string
  history: PastTurn[]
}

/**
 * The user's last messages are the question, earlier messages are the history. Instructions are ignored: the chatbot
 * has its owner's prompt, and callers must not change it.
 */
export function readConversation({ messages }: ChatCompletion): Conversation {
  const history: PastTurn[] = []
  let asked: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'user') asked.push(questionOf(content, index))
    else if (role === 'assistant' && asked.length > 0) {
      const said = textOf(content)
      // An assistant that calls a tool first has not answered yet.
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

/** Rejects images: the chatbot would answer without looking at them. */
function questionOf(content: Content, index: number): string {
  const parts = typeof content === 'string' ? [] : (content ?? [])
  if (parts.some(({ type, text }) => type !== 'text' || text === undefined)) {
    throw wrongMessage(index, 'can only be text')
  }
  return textOf(content)
}

/** Ignores parts of an answer that are not text, such as refusals and tool calls. */
function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text = '' }) => text).join('')
}

function wrongMessage(index: number, msg: string): AppError {
  return invalid([{ loc: ['body', 'messages', index, 'content'], msg, type: 'custom' }])
}
