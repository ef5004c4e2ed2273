import type { AnswerEvent, Channel, OpenChatbot, VisitorMessage } from '@docent/client'
import { NotFoundError } from '@docent/client/http/errors.ts'
import { Transport } from '@docent/client/http/send-request.ts'
import { Visitors } from '@docent/client/visitors.ts'
import { type ChatApi, type ChatMessage, ConversationGone } from './chat/chat-api.ts'
import type { Speech } from './chat/words-context.tsx'
import { explainFailure, sayFailed } from './explain-failure.ts'
import { dropVisit, findVisit, keepVisit, type Visit } from './visit.ts'

// Only the part of the client that visitors need. No retries, because the chat has a retry button.
const visitors = new Visitors(new Transport({ retries: 0 }))
/** Enough recent messages to include an answer that has just ended. */
const NEWEST = 10
const GONE = 'The conversation was deleted.'

export function getOpenChatbot(chatbot: string, channel: Channel): Promise<OpenChatbot> {
  return visitors.chatbot(chatbot, channel)
}

/** The visitor's chat. The first question creates the session, so that viewing the page stores nothing. */
export function visitorChat(chatbot: string, channel: Channel, speech: Speech): ChatApi {
  // Kept here, because an answer may still stream when the page switches to another session.
  let visit = findVisit(chatbot)

  async function openVisit(signal?: AbortSignal): Promise<Visit> {
    if (visit) return visit
    visit = await visitors.open(chatbot, channel)
    // The visitor may have started a new conversation in the meantime.
    if (!signal?.aborted) keepVisit(chatbot, visit)
    return visit
  }

  /** For calls about existing answers, which were deleted with their session. */
  function theVisit(): Visit {
    if (visit) return visit
    throw new ConversationGone(GONE)
  }

  function forget(): void {
    if (visit) dropVisit(chatbot, visit)
    visit = undefined
  }

  let hasOlder = false

  async function listMessages(before?: string): Promise<ChatMessage[]> {
    if (!visit) return []
    try {
      const page = await visitors.messagePage(visit, { before })
      hasOlder = page.before !== undefined
      return page.messages.map((message) => toChatMessage(message, speech))
    } catch (error) {
      throw goneOr(error)
    }
  }

  /** The owner has deleted the session: the next question starts a new session. */
  function goneOr(error: unknown): unknown {
    if (!(error instanceof NotFoundError)) return error
    forget()
    return new ConversationGone(GONE, { cause: error })
  }

  /** Without this, retries would use the deleted session forever. */
  async function* orGone(events: AsyncIterable<AnswerEvent>): AsyncGenerator<AnswerEvent> {
    try {
      yield* events
    } catch (error) {
      throw goneOr(error)
    }
  }

  return {
    listMessages,
    hasOlder: () => hasOlder,
    async getMessage(uuid) {
      const { messages } = await visitors.messagePage(theVisit(), { limit: NEWEST })
      const found = messages.find((message) => message.uuid === uuid)
      return found && toChatMessage(found, speech)
    },
    async *ask(query, options) {
      yield* orGone(visitors.ask(await openVisit(options.signal), query, options))
    },
    async *follow(uuid, options) {
      yield* orGone(visitors.follow(theVisit(), uuid, options))
    },
    async stop(uuid) {
      await visitors.stop(theVisit(), uuid)
    },
    async rate(uuid, rating, comment) {
      await visitors.rate(theVisit(), uuid, { rating, comment })
    },
    explain: (error) => explainFailure(error, speech),
  }
}

function toChatMessage(message: VisitorMessage, { words }: Speech): ChatMessage {
  return {
    uuid: message.uuid,
    question: message.query,
    text: message.response,
    finishReason: message.finish_reason,
    // Visitors get a general message. Only the owner sees the exact reason.
    error: message.error_message && sayFailed(words),
    citations: message.citations,
    rating: message.rating,
  }
}
