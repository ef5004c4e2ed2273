import type { ExportQuery } from '@docent/contract/conversations.ts'
import type { FastifyReply } from 'fastify'
import type { Owned } from '../../database/rows/owned.ts'
import { logFailure } from '../../http/errors/error-handler.ts'
import { RawStream } from '../../http/streams/raw-stream.ts'
import { timestamp } from '../../http/timestamp.ts'
import type { Services } from '../../services.ts'
import { type Chatbot, getOwnedChatbot } from '../chatbots/chatbots.store.ts'
import { CONVERSATION_FORMATS } from './conversation-formats.ts'
import { readConversations } from './exported-messages.store.ts'

/**
 * Streams conversations as a file at the reader's pace. The status leaves with the first batch. A later failure cuts
 * the connection, so that a partial file does not look complete.
 */
export async function sendConversations(
  services: Services,
  reply: FastifyReply,
  chatbot: Owned<Chatbot>,
  query: ExportQuery,
): Promise<void> {
  const { lists, log } = services
  const left = new AbortController()
  const stream = new RawStream(reply, () => left.abort())
  if (stream.gone) left.abort()
  try {
    const write = () => writeConversations(services, stream, chatbot, query, left.signal)
    await lists.complete.run(chatbot.owner_id, write, left.signal)
  } catch (error) {
    if (stream.gone && !stream.started) reply.hijack()
    else if (!stream.started) throw error
    else {
      logFailure(log, reply.request, error)
      stream.cut()
    }
  }
}

async function writeConversations(
  { db, analytics, lists }: Services,
  stream: RawStream,
  chatbot: Owned<Chatbot>,
  { format, ...filters }: ExportQuery,
  signal: AbortSignal,
): Promise<void> {
  const { contentType, head, write } = CONVERSATION_FORMATS[format]
  const reader = analytics.inParts(chatbot.owner_id, signal)
  for await (const messages of readConversations(reader, chatbot, wordsOf(filters))) {
    if (!stream.started) {
      const disposition = `attachment; filename="${fileNameOf(chatbot)}.${format}"`
      stream.open({ 'content-type': contentType, 'content-disposition': disposition })
      await stream.write(head)
      if (stream.isHead) break
    }
    await stream.writePatiently(messages.map(write).join(''), lists.slicePatienceMs)
    if (stream.gone) return
  }
  // Throws if the chatbot was deleted meanwhile, as the file would then be incomplete.
  await getOwnedChatbot(db, chatbot.owner_id, chatbot.id)
  stream.end()
}

/** Splits the search text into words. */
export function wordsOf<Wanted extends { search?: string | undefined }>({
  search = '',
  ...wanted
}: Wanted) {
  return { ...wanted, words: search.split(/\s+/).filter((word) => word !== '') }
}

/** Uses only characters that every system accepts in file names. */
function fileNameOf({ name }: Chatbot): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 60)
  const day = timestamp(Date.now()).slice(0, 10)
  return ['conversations', ...(words ? [words] : []), day].join('-')
}
