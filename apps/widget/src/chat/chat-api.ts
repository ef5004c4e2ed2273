import type { AnswerEvent, AskOptions, FollowAgainOptions } from '@docent/client'

/** A message as the chat shows it, to owners and visitors alike. */
export interface ChatMessage {
  uuid: string
  question: string
  text: string
  finishReason: string
  error: string
  /** The machine-readable reason, if known. */
  errorCode?: string | undefined
  errorParams?: Record<string, unknown> | undefined
  citations: Record<string, Citation>
  rating: Rating | null
  /** Only for owners. */
  facts?: AnswerFacts
}

export interface AnswerFacts {
  model: string
  ms: number
  tokens: number
  /** From 0 to 1. Only the built-in engine reports it. */
  confidence: number | null
}

export type Rating = 'up' | 'down'

export interface Citation {
  title: string
  text: string
  url: string | null
  page: number | null
  /** The range in the source, only for owners. */
  place?: { source: string; revision: string; start: number; end: number }
}

/** A cited range with the text around it. */
export interface Excerpt {
  before: string
  text: string
  after: string
}

/** The owner has deleted the session or its message. */
export class ConversationGone extends Error {}

/** The API calls of a chat. Owners and visitors use different endpoints. */
export interface ChatApi {
  /** The newest messages, or messages before a given message. Throws `ConversationGone` once; a new session follows. */
  listMessages(before?: string): Promise<ChatMessage[]>
  /** Reports messages before the last listed messages. Undefined if `listMessages` returns all of them. */
  hasOlder?: () => boolean
  getMessage(uuid: string): Promise<ChatMessage | undefined>
  ask(question: string, options: AskOptions): AsyncIterable<AnswerEvent>
  /** Streams the same events, from a byte offset in the answer. */
  follow(uuid: string, options: FollowAgainOptions): AsyncIterable<AnswerEvent>
  stop(uuid: string): Promise<void>
  rate(uuid: string, rating: Rating, comment?: string): Promise<void>
  /** Explains a failure. Defaults to the server's message. Empty if the server was not reached. */
  explain?: (error: unknown) => string
  /** Explains a stored failure. Defaults to the stored message. */
  explainStored?: (message: ChatMessage) => string
  /** Undefined if the caller may see only the passage. */
  readExcerpt?: (place: NonNullable<Citation['place']>) => Promise<Excerpt>
}
