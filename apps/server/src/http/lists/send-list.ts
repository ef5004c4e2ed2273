import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import {
  countFitting,
  type ListedSize,
  type ListId,
  type ListPage,
  type ListReader,
  PAGE_ROWS,
  readFirst,
  readPage,
} from '../../database/rows/list-reader.ts'
import type { Services } from '../../services.ts'
import { logFailure } from '../errors/error-handler.ts'
import { RawStream } from '../streams/raw-stream.ts'
import { linkToNext } from './page-list.ts'

/** A list is `open`, the rows with `between` between them, and `close`. */
export interface ListFormat {
  contentType: string
  open: string
  between: string
  close: string
}

export const JSON_LIST: ListFormat = {
  contentType: 'application/json; charset=utf-8',
  open: '[',
  between: ',',
  close: ']',
}

/** Longer lists wait for their turn, so that the buffers of slow readers stay bounded. */
const SENT_AT_ONCE = 262_144

export interface List<Row> {
  reader: ListReader<Row>
  ownerId: string
  after?: ListId | undefined
  /** Defaults to the whole list. */
  limit?: number | undefined
  format?: ListFormat
  write(row: Row): string
  /** Throws if the parent of the list was deleted while the list was being sent. */
  confirm(): Promise<unknown>
}

/**
 * Sends a short list at once. A longer list waits for its turn, and is then read and sent page by page at the reader's
 * pace. A failure after the first page cuts the connection, so that a partial list does not look complete.
 */
export async function sendList<Row>(
  services: Services,
  reply: FastifyReply,
  list: List<Row>,
): Promise<FastifyReply> {
  const { reader, after, limit, format = JSON_LIST, write } = list
  const most = limit ?? PAGE_ROWS
  const sizes = await reader.listSizes({ after, limit: most + 1 })
  const shown = sizes.slice(0, most)
  const last = shown.at(-1)?.id
  const hasMore = sizes.length > most
  if (limit !== undefined && hasMore)
    reply.header('link', linkToNext(reply.request, 'after', last!))
  const isOnePage =
    countFitting(shown, SENT_AT_ONCE) === shown.length && (limit !== undefined || !hasMore)
  if (isOnePage) {
    const rows = await readFirst(reader, after, shown)
    const text = rows.map(write).join(format.between)
    return reply.type(format.contentType).send(format.open + text + format.close)
  }
  const readNext =
    limit === undefined
      ? (from: ListId | undefined) => readPage(reader, from)
      : pagesOf(reader, shown)
  await sendPages(services, reply, list, readNext)
  return reply
}

type ReadNext<Row> = (from: ListId | undefined) => Promise<ListPage<Row>>

/** Pages through the rows that were asked for. Leaves out rows that came after them. */
function pagesOf<Row>(reader: ListReader<Row>, sizes: readonly ListedSize[]): ReadNext<Row> {
  let left = sizes
  return async (after) => {
    const count = countFitting(left)
    const sizes = left.slice(0, count)
    left = left.slice(count)
    const rows = await readFirst(reader, after, sizes)
    return { rows, next: left.length > 0 ? sizes.at(-1)!.id : undefined }
  }
}

async function sendPages<Row>(
  { lists, log }: Services,
  reply: FastifyReply,
  list: List<Row>,
  readNext: ReadNext<Row>,
): Promise<void> {
  const left = new AbortController()
  const stream = new RawStream(reply, () => left.abort())
  try {
    if (stream.gone) left.abort()
    await lists.complete.run(
      list.ownerId,
      () => writePages(lists, stream, list, readNext, left.signal),
      left.signal,
    )
  } catch (error) {
    // The client has left and needs no error.
    if (stream.gone && !stream.started) reply.hijack()
    else if (stream.started) {
      logFailure(log, reply.request, error)
      stream.cut()
    } else throw error
  }
}

async function writePages<Row>(
  { pages, slicePatienceMs }: Services['lists'],
  stream: RawStream,
  { ownerId, after, format = JSON_LIST, write, confirm }: List<Row>,
  readNext: ReadNext<Row>,
  left: AbortSignal,
): Promise<void> {
  let before = format.open
  let from = after
  do {
    const page = await pages.run(
      ownerId,
      async () => {
        await nextTurn()
        const { rows, next } = await readNext(from)
        return { text: rows.map(write).join(format.between), next }
      },
      left,
    )
    if (!stream.started) stream.open({ 'content-type': format.contentType })
    if (stream.isHead) return stream.end()
    if (page.text !== '') await stream.writePatiently(before + page.text, slicePatienceMs)
    if (stream.gone) return
    before = page.text === '' ? before : format.between
    from = page.next
  } while (from !== undefined)
  await confirm()
  stream.end(before === format.open ? format.open + format.close : format.close)
}
