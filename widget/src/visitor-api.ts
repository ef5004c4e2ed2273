import type { Channel, OpenChatbot, VisitorMessage } from '../../client/src/index.ts'
import { type ChatApi, type ChatMessage, RequestError, requireOk } from './chat/chat-api.ts'
import { findVisit, forgetVisit, keepVisit, type Visit } from './visit.ts'

const BASE = '/api/v1/public'
const EVENTS = 'text/event-stream'

export async function getOpenChatbot(chatbot: string, channel: Channel): Promise<OpenChatbot> {
  const response = await fetch(`${BASE}/chatbot/${chatbot}?channel=${channel}`)
  return (await requireOk(response)).json()
}

/** The chat of a visitor. The session is made by the first question, so that whoever only looks leaves nothing. */
export function visitorChat(chatbot: string, channel: Channel): ChatApi {
  async function openVisit(): Promise<Visit> {
    const known = findVisit(chatbot)
    if (known) return known
    const response = await fetch(`${BASE}/chatbot/${chatbot}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ channel }),
    })
    const visit: Visit = await (await requireOk(response)).json()
    keepVisit(chatbot, visit)
    return visit
  }

  async function send(
    method: string,
    path: string,
    { secret }: Visit,
    body?: unknown,
    signal?: AbortSignal,
  ) {
    return requireOk(
      await fetch(BASE + path, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          accept: path.includes('/stream') ? EVENTS : 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      }),
    )
  }

  async function listMessages(): Promise<ChatMessage[]> {
    const visit = findVisit(chatbot)
    if (!visit) return []
    try {
      const response = await send('GET', `/session/${visit.uuid}/messages`, visit)
      return ((await response.json()) as VisitorMessage[]).map(toChatMessage)
    } catch (error) {
      // The owner has deleted it: the next question begins another.
      if (!(error instanceof RequestError) || error.status !== 404) throw error
      forgetVisit(chatbot)
      return []
    }
  }

  return {
    listMessages,
    async getMessage(uuid) {
      return (await listMessages()).find((message) => message.uuid === uuid)
    },
    async ask(query, signal) {
      const visit = await openVisit()
      return send('POST', `/session/${visit.uuid}/message/stream`, visit, { query }, signal)
    },
    async follow(uuid, offset, signal) {
      return send(
        'GET',
        `/message/${uuid}/stream?offset=${offset}`,
        await openVisit(),
        undefined,
        signal,
      )
    },
    async stop(uuid) {
      await send('POST', `/message/${uuid}/stop`, await openVisit())
    },
    async rate(uuid, rating, comment) {
      await send('POST', `/message/${uuid}/feedback`, await openVisit(), { rating, comment })
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
