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

export interface FollowOptions extends CallOptions {
  /** Stops the answer itself, not only this stream, when you leave the loop or the signal aborts. */
  stopWhenLeft?: boolean | undefined
  /** The maximum number of consecutive reconnects before the client gives up. Default: 10. */
  reconnects?: number | undefined
  /** Milliseconds of silence after which a connection counts as lost. Default: 30,000. */
  idleTimeout?: number | undefined
  /** Called when a connection is lost, before the client reconnects. */
  onReconnect?: ((reason: unknown, attempt: number) => void) | undefined
}

/** Visitors do not get `meta_json`. */
type FailedMessage = Pick<Message, 'error_message'> & Partial<Pick<Message, 'meta_json'>>

/** The endpoints of an answer. Owners and visitors use different ones. */
export interface AnswerEndpoints {
  /** `''` for owners or `/public` for visitors. */
  prefix: string
  token?: string | undefined
  /** Gets the record of a message, if these endpoints serve it. */
  getMessage(uuid: string): Promise<FailedMessage | undefined>
}

const RECONNECTS = 10
// The server sends a heartbeat every ten seconds.
const IDLE_MS = 30_000

/**
 * Follows an answer to its end. After a lost connection, it resumes at the byte where the stream broke, so no text is
 * missing or repeated. If the answer has no uuid yet, it sends the question again with the same idempotency key.
 */
export async function* followAnswer(
  transport: Transport,
  door: AnswerEndpoints,
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
          // A chunk can contain several events, so check the signal between them.
          signal?.throwIfAborted()
          if (event.type === 'message-start') {
            uuid = event.uuid
            if (!hasStarted) yield event
            hasStarted = true
          } else if (event.type === 'text-delta') {
            // The server left a gap. Reconnect to request the missing bytes again.
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
            await throwIfAnswerFailed(door, event)
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

/** Yields only the text of the events. */
export async function* textOf(
  events: AsyncGenerator<AnswerEvent, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  for await (const event of events) if (event.type === 'text-delta') yield event.text
}

/** Whether reconnecting is pointless. Once the answer exists, an overloaded or stopping server is worth a retry. */
function isFinal(error: unknown, hasAnswer: boolean): boolean {
  if (hasAnswer && error instanceof UnavailableError) return false
  if (error instanceof ApiError) return !isAway(error)
  return error instanceof UnexpectedAnswerError
}

function again(door: AnswerEndpoints, uuid: string, bytes: number): Call {
  return {
    method: 'GET',
    path: `${door.prefix}/message/${uuid}/stream`,
    query: { offset: bytes },
    headers: { accept: 'text/event-stream' },
    token: door.token,
  }
}

/** The events of one connection. It closes when the reader leaves or the connection is silent for too long. */
async function* eventsOf(
  transport: Transport,
  call: Call,
  { signal, idleTimeout = IDLE_MS, timeout, retries }: FollowOptions,
): AsyncGenerator<ServerEvent> {
  const connection = new AbortController()
  const silent = () =>
    connection.abort(new ConnectionError('The connection was silent for too long.'))
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
      throw new UnexpectedAnswerError(`${response.url} did not respond with events.`)
    }
    // Browsers accept truncated headers as complete.
    if (!type.startsWith('text/event-stream') || !response.body) throw cutOff()
    watch()
    yield* readEvents(response.body, watch)
  } finally {
    clearTimeout(timer)
    connection.abort()
  }
}

/** If an answer failed while no client was connected, the stream only has its end. Get the reason from the message. */
async function throwIfAnswerFailed(
  door: AnswerEndpoints,
  { uuid, finish_reason }: { uuid: string; finish_reason: FinishReason },
): Promise<void> {
  if (finish_reason !== 'error' && finish_reason !== 'interrupted') return
  const message = await door.getMessage(uuid)
  const general = finish_reason === 'error' ? 'model_failed' : 'unavailable'
  const { error_code: code = general, error_params: params } = messageMeta({
    meta_json: message?.meta_json ?? '{}',
  })
  const error = message?.error_message || 'The answer was interrupted.'
  throw toAnswerError({ error, code, params, request_id: '' }, uuid)
}

async function stop(
  transport: Transport,
  { prefix, token }: AnswerEndpoints,
  uuid: string,
): Promise<void> {
  const path = `${prefix}/message/${uuid}/stop`
  await transport
    .json({ method: 'POST', path, token, isRepeatable: true })
    // The caller has left, so a failed stop does not matter.
    .catch(() => {})
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/** The part of the text after the bytes that the caller has already seen. */
function unseen(text: string, seenBytes: number): string {
  if (seenBytes <= 0) return text
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(seenBytes))
}
