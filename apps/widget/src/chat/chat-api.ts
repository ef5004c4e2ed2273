import type { AnswerEvent, AskOptions, FollowAgainOptions } from '@docent/client'

/** A message as the chat shows it, whoever looks at it. */
export interface ChatMessage {
  uuid: string
  question: string
  text: string
  /** Empty while the answer runs. */
  finishReason: string
  error: string
  /** The same for a program, as far as it is known. */
  errorCode?: string | undefined
  errorParams?: Record<string, unknown> | undefined
  citations: Record<string, Citation>
  rating: Rating | null
  /** How it was made, for those who may know. */
  facts?: AnswerFacts
}

export interface AnswerFacts {
  model: string
  ms: number
  tokens: number
  /** From 0 to 1; only the built-in answers know it. */
  confidence: number | null
}

export type Rating = 'up' | 'down'

export interface Citation {
  title: string
  text: string
  url: string | null
  page: number | null
  /** Where exactly it stands, for those who may look there. */
  place?: { source: string; revision: string; start: number; end: number }
}

/** A cited range with the text around it. */
export interface Excerpt {
  before: string
  text: string
  after: string
}

/** The owner has deleted the conversation, or its message. */
export class ConversationGone extends Error {}

/** What a chat needs of the server. Owners and visitors reach it by different doors. */
export interface ChatApi {
  /** The newest messages, or those before a message. Throws `ConversationGone` once; the next question begins another. */
  listMessages(before?: string): Promise<ChatMessage[]>
  /** Whether there are messages before those that were listed last. Without it, all of them are listed at once. */
  hasOlder?: () => boolean
  getMessage(uuid: string): Promise<ChatMessage | undefined>
  /** Throws when the answer fails. */
  ask(question: string, options: AskOptions): AsyncIterable<AnswerEvent>
  /** The same events, from a byte of the answer on. */
  follow(uuid: string, options: FollowAgainOptions): AsyncIterable<AnswerEvent>
  stop(uuid: string): Promise<void>
  rate(uuid: string, rating: Rating, comment?: string): Promise<void>
  /** Why something failed; in the server's own words unless given. Empty: the server was not reached. */
  explain?: (error: unknown) => string
  /** The same of what is stored; its sentence unless given. */
  explainStored?: (message: ChatMessage) => string
  /** Undefined: only the passage itself may be seen. */
  readExcerpt?: (place: NonNullable<Citation['place']>) => Promise<Excerpt>
}
