import { NotFoundError } from '../../client/src/errors.ts'
import type { Channel, OpenChatbot, VisitorMessage } from '../../client/src/index.ts'
import { Transport } from '../../client/src/send-request.ts'
import { Visitors } from '../../client/src/visitors.ts'
import type { ChatApi, ChatMessage } from './chat/chat-api.ts'
import { findVisit, forgetVisit, keepVisit, type Visit } from './visit.ts'

// The parts of the client that visitors need. What fails is said at once: there is a button to try again.
const visitors = new Visitors(new Transport({ retries: 0 }))

export function getOpenChatbot(chatbot: string, channel: Channel): Promise<OpenChatbot> {
  return visitors.chatbot(chatbot, channel)
}

/** The chat of a visitor. The session is made by the first question, so that whoever only looks leaves nothing. */
export function visitorChat(chatbot: string, channel: Channel): ChatApi {
  async function openVisit(): Promise<Visit> {
    const known = findVisit(chatbot)
    if (known) return known
    const visit = await visitors.open(chatbot, channel)
    keepVisit(chatbot, visit)
    return visit
  }

  async function listMessages(): Promise<ChatMessage[]> {
    const visit = findVisit(chatbot)
    if (!visit) return []
    try {
      return (await visitors.messages(visit)).map(toChatMessage)
    } catch (error) {
      // The owner has deleted it: the next question begins another.
      if (!(error instanceof NotFoundError)) throw error
      forgetVisit(chatbot)
      return []
    }
  }

  return {
    listMessages,
    async getMessage(uuid) {
      return (await listMessages()).find((message) => message.uuid === uuid)
    },
    async *ask(query, options) {
      yield* visitors.ask(await openVisit(), query, options)
    },
    async *follow(uuid, options) {
      yield* visitors.follow(await openVisit(), uuid, options)
    },
    async stop(uuid) {
      await visitors.stop(await openVisit(), uuid)
    },
    async rate(uuid, rating, comment) {
      await visitors.rate(await openVisit(), uuid, { rating, comment })
    },
  }
}

function toChatMessage(message: VisitorMessage): ChatMessage {
  return {
    uuid: message.uuid,
    question: message.query,
    text: message.response,
    finishReason: message.finish_reason,
    error: message.error_message,
    citations: message.citations,
    rating: message.rating,
  }
}
