import { ApiError } from '@docent/client/http/errors.ts'
import { messageCitations, messageMeta } from '@docent/client/http/json-fields.ts'
import { Messages } from '@docent/client/messages.ts'
import { Sessions } from '@docent/client/sessions.ts'
import type { ChatApi, ChatMessage, Excerpt } from '@docent/widget/chat/chat-api.ts'
import { get, transport } from './client.ts'
import type { Message } from './records.ts'

const sessions = new Sessions(transport)
const messages = new Messages(transport)

export interface OwnerChat extends ChatApi {
  hasBegun: () => boolean
}

/** The owner's chat, which links citations to the whole source. The first question creates its session. */
export function ownerChat(chatbot: string): OwnerChat {
  let session: Promise<string> | undefined
  const openSession = () => {
    session ??= sessions.create(chatbot).then(({ uuid }) => uuid)
    // Allow another try after a failure.
    session.catch(() => {
      session = undefined
    })
    return session
  }
  /** The conversation may be deleted on its own page. Then the next question starts a new session. */
  const forgetIfGone = (error: unknown) => {
    const isGone = error instanceof ApiError && error.status === 404
    if (isGone) session = undefined
    return isGone
  }
  return {
    hasBegun: () => session !== undefined,
    async listMessages() {
      if (!session) return []
      try {
        return (await sessions.messages(await session)).map(toChatMessage)
      } catch (error) {
        if (!forgetIfGone(error)) throw error
        return []
      }
    },
    async getMessage(uuid) {
      return toChatMessage(await messages.get(uuid))
    },
    async *ask(query, options) {
      try {
        yield* sessions.ask(await openSession(), query, options)
      } catch (error) {
        forgetIfGone(error)
        throw error
      }
    },
    follow: (uuid, options) => messages.follow(uuid, options),
    async stop(uuid) {
      await messages.stop(uuid)
    },
    async rate(uuid, rating, comment) {
      await messages.rate(uuid, { rating, comment })
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
  const meta = messageMeta(message)
  const { receipts = {} } = meta
  const citations = Object.entries(messageCitations(message)).map(([marker, { title, text }]) => {
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
    errorCode: meta.error_code,
    errorParams: meta.error_params,
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
