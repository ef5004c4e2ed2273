import type { ChatApi, ChatMessage, Excerpt } from '@docent/widget/chat/chat-api.ts'
import { get, post, send } from './client.ts'
import type { Message, MessageMeta } from './records.ts'

const EVENTS = 'text/event-stream'

/** The chat of an owner, who may see the whole source behind a citation. Its session is made by the first question. */
export function ownerChat(chatbot: string): ChatApi {
  let session: Promise<string> | undefined
  const openSession = () => {
    session ??= post<{ uuid: string }>(`/chatbot/${chatbot}/session/create`).then(
      ({ uuid }) => uuid,
    )
    // What failed may be tried again.
    session.catch(() => {
      session = undefined
    })
    return session
  }
  return {
    async listMessages() {
      if (!session) return []
      return (await get<Message[]>(`/session/${await session}/messages`)).map(toChatMessage)
    },
    async getMessage(uuid) {
      return toChatMessage(await get<Message>(`/message/${uuid}`))
    },
    async ask(query, signal) {
      const path = `/session/${await openSession()}/message/stream`
      return send('POST', path, { query }, { accept: EVENTS, signal })
    },
    follow(uuid, offset, signal) {
      return send('GET', `/message/${uuid}/stream?offset=${offset}`, undefined, {
        accept: EVENTS,
        signal,
      })
    },
    async stop(uuid) {
      await post(`/message/${uuid}/stop`)
    },
    async rate(uuid, rating, comment) {
      await post(`/message/${uuid}/feedback`, { rating, comment })
    },
    readExcerpt,
  }
}

export function readExcerpt({
  source,
  revision,
  start,
  end,
}: {
  source: string
  revision: string
  start: number
  end: number
}) {
  return get<Excerpt>(
    `/data-source/${source}/excerpt?revision=${revision}&start=${start}&end=${end}`,
  )
}

export function toChatMessage(message: Message): ChatMessage {
  const cited = JSON.parse(message.cite_data_json) as Record<
    string,
    { title: string; text: string }
  >
  const meta = JSON.parse(message.meta_json) as MessageMeta
  const { receipts = {} } = meta
  const citations = Object.entries(cited).map(([marker, { title, text }]) => {
    const receipt = receipts[marker]
    const { url = null, page = null } = receipt ?? {}
    if (!receipt) return [marker, { title, text, url, page }] as const
    const { data_source_uuid: source, revision, start, end } = receipt
    return [marker, { title, text, url, page, place: { source, revision, start, end } }] as const
  })
  return {
    uuid: message.uuid,
    question: message.query,
    text: message.response,
    finishReason: message.finish_reason,
    error: message.error_message,
    citations: Object.fromEntries(citations),
    rating: message.feedback_json === null ? null : JSON.parse(message.feedback_json).rating,
    ...(meta.model_used !== undefined && {
      facts: {
        model: meta.model_used,
        ms: meta.timings_ms?.total ?? 0,
        tokens: meta.actual_token_distribution?.total_tokens ?? 0,
        confidence: meta.confidence ?? null,
      },
    }),
  }
}
