/** A message as the chat shows it, whoever looks at it. */
export interface ChatMessage {
  uuid: string
  question: string
  text: string
  /** Empty while the answer runs. */
  finishReason: string
  error: string
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

/** What a chat needs of the server. Owners and visitors reach it by different doors. */
export interface ChatApi {
  listMessages(): Promise<ChatMessage[]>
  getMessage(uuid: string): Promise<ChatMessage | undefined>
  /** Answers with server-sent events. */
  ask(question: string, signal: AbortSignal): Promise<Response>
  /** The same events, from a byte of the answer on. */
  follow(uuid: string, offset: number, signal: AbortSignal): Promise<Response>
  stop(uuid: string): Promise<void>
  rate(uuid: string, rating: Rating, comment?: string): Promise<void>
  /** Undefined: only the passage itself may be seen. */
  readExcerpt?: (place: NonNullable<Citation['place']>) => Promise<Excerpt>
}

/** The server's refusal, in its own words. */
export class RequestError extends Error {
  readonly status: number
  readonly code: string
  readonly details: unknown

  constructor(status: number, body: { error?: string; code?: string; details?: unknown }) {
    super(body.error ?? `HTTP ${status}`)
    this.name = 'RequestError'
    this.status = status
    this.code = body.code ?? ''
    this.details = body.details
  }
}

/** Throws what the server says is wrong. What never reached it throws a TypeError of fetch's own. */
export async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const body = await response.json().catch(() => ({}))
  throw new RequestError(response.status, body as object)
}
