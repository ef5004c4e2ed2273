import type { AnswerEvent } from '../answer-event.ts'
import type { Message } from '../records.ts'
import type { FinishReason } from '../values.ts'
import {
  ApiError,
  ConnectionError,
  cutOff,
  toAnswerError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
import { messageMeta } from './json-fields.ts'
import { readEvents, type ServerEvent } from './read-events.ts'
import { backOff, pause } from './retry.ts'
import { type Call, type CallOptions, isAway, type Transport } from './send-request.ts'

/** How an answer is followed. */
export interface FollowOptions extends CallOptions {
  /** Stops the answer itself, not only the following, when the loop is left or the signal aborts. */
  stopWhenLeft?: boolean | undefined
  /** How often in a row a lost connection is made again before the answer is given up; 10 times unless given. */
  reconnects?: number | undefined
  /** Milliseconds without a sign of life after which a connection counts as lost; 30,000 unless given. */
  idleTimeout?: number | undefined
  /** Told when a connection is lost and made again. */
  onReconnect?: ((reason: unknown, attempt: number) => void) | undefined
}

/** Visitors are not shown the meta. */
type FailedMessage = Pick<Message, 'error_message'> & Partial<Pick<Message, 'meta_json'>>

/** Where an answer is asked for and followed; owners and visitors have different doors. */
export interface Door {
  /** `''`, or `/public`. */
  prefix: string
  token?: string | undefined
  /** The record of a message, where the door shows it. */
  getMessage(uuid: string): Promise<FailedMessage | undefined>
}

const RECONNECTS = 10
// The server gives a sign of life every ten seconds.
const IDLE_MS = 30_000

/**
 * Follows an answer to its end. When the connection breaks it goes on at the byte where it broke off, so that nothing
 * is missing and nothing comes twice. Before the answer has a name, the question is asked again under the same key,
 * by which the server knows it.
 */
export async function* followAnswer(
  transport: Transport,
  door: Door,
  start: { ask: Call } | { uuid: string; offset: number },
  options: FollowOptions = {},
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { signal, reconnects = RECONNECTS } = options
  let uuid = 'uuid' in start ? start.uuid : undefined
  let bytes = 'offset' in start ? start.offset : 0
  let failures = 0
  let hasStarted = false
  let isOver = false
  try {
    while (true) {
      const call = uuid === undefined && 'ask' in start ? start.ask : again(door, uuid!, bytes)
      let lost: unknown
      try {
        for await (const event of eventsOf(transport, call, options)) {
          // Several events may have come in one piece.
          signal?.throwIfAborted()
          if (event.type === 'message-start') {
            uuid = event.uuid
            if (!hasStarted) yield event
            hasStarted = true
          } else if (event.type === 'text-delta') {
            // A gap would be the server's mistake; what is missing is asked for again.
            if (event.offset > bytes) break
            const text = unseen(event.text, bytes - event.offset)
            if (text === '') continue
            const offset = bytes
            bytes += byteLength(text)
            failures = 0
            yield { type: 'text-delta', text, offset }
          } else {
            isOver = true
            if (event.type === 'error') throw toAnswerError(event, uuid)
            await requireGoodEnd(door, event)
            yield event
            return
          }
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (isOver || isFinal(error, uuid !== undefined)) throw error
        lost = error
      }
      failures += 1
      if (failures > reconnects) {
        throw new ConnectionError('The connection was lost before the answer ended.', {
          cause: lost,
        })
      }
      options.onReconnect?.(lost, failures)
      await pause(backOff(failures - 1), signal, true)
    }
  } finally {
    if (!isOver && options.stopWhenLeft && uuid !== undefined) await stop(transport, door, uuid)
  }
}

/** The text alone. */
export async function* textOf(
  events: AsyncGenerator<AnswerEvent, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  for await (const event of events) if (event.type === 'text-delta') yield event.text
}

/** Not a matter of the connection. For an answer that is there, neither is a server that is stopping or overloaded. */
function isFinal(error: unknown, hasAnswer: boolean): boolean {
  if (hasAnswer && error instanceof UnavailableError) return false
  if (error instanceof ApiError) return !isAway(error)
  return error instanceof UnexpectedAnswerError
}

function again(door: Door, uuid: string, bytes: number): Call {
  return {
    method: 'GET',
    path: `${door.prefix}/message/${uuid}/stream`,
    query: { offset: bytes },
    headers: { accept: 'text/event-stream' },
    token: door.token,
  }
}

/** The events of one connection, which is closed when the reader leaves, or when it is silent for too long. */
async function* eventsOf(
  transport: Transport,
  call: Call,
  { signal, idleTimeout = IDLE_MS, timeout, retries }: FollowOptions,
): AsyncGenerator<ServerEvent> {
  const connection = new AbortController()
  const silent = () => connection.abort(new ConnectionError('The connection went silent.'))
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    timer = setTimeout(silent, idleTimeout)
  }
  try {
    const both = signal ? AbortSignal.any([connection.signal, signal]) : connection.signal
    const response = await transport.open(call, { signal: both, timeout, retries })
    const type = response.headers.get('content-type') ?? ''
    if (/^(text\/html|application\/json)\b/.test(type)) {
      throw new UnexpectedAnswerError(`${response.url} answered with something else than events.`)
    }
    // Browsers take headers that were cut off for whole ones.
    if (!type.startsWith('text/event-stream') || !response.body) throw cutOff()
    watch()
    yield* readEvents(response.body, watch)
  } finally {
    clearTimeout(timer)
    connection.abort()
  }
}

/** An answer that failed while nobody listened has only its end to tell. */
async function requireGoodEnd(
  door: Door,
  { uuid, finish_reason }: { uuid: string; finish_reason: FinishReason },
): Promise<void> {
  if (finish_reason !== 'error' && finish_reason !== 'interrupted') return
  const message = await door.getMessage(uuid)
  const general = finish_reason === 'error' ? 'model_failed' : 'unavailable'
  const { error_code: code = general, error_params: params } = messageMeta({
    meta_json: message?.meta_json ?? '{}',
  })
  const error = message?.error_message || 'The answer broke off.'
  throw toAnswerError({ error, code, params, request_id: '' }, uuid)
}

async function stop(transport: Transport, { prefix, token }: Door, uuid: string): Promise<void> {
  const path = `${prefix}/message/${uuid}/stop`
  await transport
    .json({ method: 'POST', path, token, isRepeatable: true })
    // Whoever leaves does not wait for news of what is left behind.
    .catch(() => {})
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Without the first bytes, which were seen before. */
function unseen(text: string, seenBytes: number): string {
  if (seenBytes <= 0) return text
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(seenBytes))
}
