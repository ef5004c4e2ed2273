import type { AnswerEvent, Channel, OpenChatbot, VisitorMessage } from '@docent/client'
import { NotFoundError } from '@docent/client/http/errors.ts'
import { Transport } from '@docent/client/http/send-request.ts'
import { Visitors } from '@docent/client/visitors.ts'
import { type ChatApi, type ChatMessage, ConversationGone } from './chat/chat-api.ts'
import type { Speech } from './chat/words-context.tsx'
import { explainFailure, sayFailed } from './explain-failure.ts'
import { dropVisit, findVisit, keepVisit, type Visit } from './visit.ts'

// The parts of the client that visitors need. What fails is said at once: there is a button to try again.
const visitors = new Visitors(new Transport({ retries: 0 }))
/** An answer that has just ended is among so many. */
const NEWEST = 10
const GONE = 'The conversation was deleted.'

export function getOpenChatbot(chatbot: string, channel: Channel): Promise<OpenChatbot> {
  return visitors.chatbot(chatbot, channel)
}

/** The chat of a visitor. The session is made by the first question, so that whoever only looks leaves nothing. */
export function visitorChat(chatbot: string, channel: Channel, speech: Speech): ChatApi {
  // An answer may still be on its way when the page goes on to another.
  let visit = findVisit(chatbot)

  async function openVisit(signal?: AbortSignal): Promise<Visit> {
    if (visit) return visit
    visit = await visitors.open(chatbot, channel)
    // Whoever has begun anew meanwhile has left this one behind.
    if (!signal?.aborted) keepVisit(chatbot, visit)
    return visit
  }

  /** The one that is there, for what is about its answers: they are gone with it. */
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

  /** The owner has deleted it: the next question begins another. */
  function goneOr(error: unknown): unknown {
    if (!(error instanceof NotFoundError)) return error
    forget()
    return new ConversationGone(GONE, { cause: error })
  }

  /** Without this, whoever tries again would ask in the same conversation for ever. */
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
    // What exactly it was is for the owner to know, so that there is but one sentence.
    error: message.error_message && sayFailed(words),
    citations: message.citations,
    rating: message.rating,
  }
}
