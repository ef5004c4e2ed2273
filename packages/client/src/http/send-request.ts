import {
  ApiError,
  ConnectionError,
  cutOff,
  DocentError,
  ServerError,
  TimeoutError,
  toApiError,
  UnexpectedAnswerError,
} from './errors.ts'
import { backOff, pause, readRetryAfter } from './retry.ts'

/** How a client is set up. */
export interface ClientOptions {
  /** Where the server is, such as `https://chat.example.org`. On a page of that server it may be left out. */
  baseUrl?: string
  /** An API token. Without one only what visitors and signed-in pages may do works. */
  token?: string
  /** Milliseconds that a call may take, each attempt by itself; 60,000 unless given, 0 for no limit. */
  timeout?: number
  /** How often a call that failed for now is repeated; 4 times unless given. */
  retries?: number
  /** A call is not repeated when the server asks to wait longer than so many milliseconds; 30,000 unless given. */
  longestWait?: number
  /** Sent with every call. */
  headers?: Record<string, string>
  /** Another `fetch` than the platform's. */
  fetch?: typeof fetch
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call; its reason is thrown. */
  signal?: AbortSignal | undefined
  /** Milliseconds for this call instead of the client's; 0 for no limit. */
  timeout?: number | undefined
  /** Repetitions for this call instead of the client's. */
  retries?: number | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Below `/api/v1`. */
  path: string
  query?: Record<string, string | number | Date | undefined>
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is; a function makes it anew for each attempt. */
  body?: () => { body: BodyInit; headers?: Record<string, string> }
  headers?: Record<string, string>
  /** Instead of the client's token. */
  token?: string | undefined
  /** Doing it twice does no harm, so that it may be sent again when nobody knows whether it arrived. */
  isRepeatable?: boolean
}

const TIMEOUT_MS = 60_000
const RETRIES = 4
const LONGEST_WAIT_MS = 30_000

/** Sends calls, repeats those that may be repeated, and turns refusals into errors. */
export class Transport {
  readonly address: string
  readonly #options: ClientOptions
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    this.#options = options
    this.address = readAddress(options.baseUrl)
    // As a method of this object it would not be the window's any more, which browsers refuse.
    const given = options.fetch ?? globalThis.fetch
    this.#fetch = (...request) => given(...request)
  }

  async json<T>(call: Call, options: CallOptions = {}): Promise<T> {
    return this.#repeat(call, options, (signal) =>
      this.#limited(call, options, signal, readJson<T>),
    )
  }

  async text(call: Call, options: CallOptions = {}): Promise<string> {
    return this.#repeat(call, options, (signal) =>
      this.#limited(call, options, signal, (response) => response.text()),
    )
  }

  /** A page of a list, and the uuid from which the next one goes on. */
  async page<T>(
    call: Call,
    options: CallOptions,
  ): Promise<{ items: T[]; next: string | undefined }> {
    return this.#repeat(call, options, (signal) =>
      this.#limited(call, options, signal, async (response) => {
        const items = await readJson<T[]>(response)
        const next = /[?&](?:after|before)=([^&>]+)[^>]*>;\s*rel="next"/.exec(
          response.headers.get('link') ?? '',
        )
        return { items, next: next?.[1] }
      }),
    )
  }

  /**
   * A response whose body is still to come. The time limit is for its beginning. What is lost is not sent again here:
   * whoever reads the body has to be able to do that anyway.
   */
  async open(call: Call, options: CallOptions): Promise<Response> {
    return this.#repeat({ ...call, isRepeatable: false }, options, (signal) =>
      this.#limited(call, options, signal, async (opened) => opened),
    )
  }

  headersOf(call: Call): Record<string, string> {
    const token = call.token ?? this.#options.token
    return {
      ...this.#options.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(call.json !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
    }
  }

  urlOf({ path, query = {} }: Call): string {
    const url = new URL(`${this.address}/api/v1${path}`)
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value))
    }
    return url.href
  }

  async #repeat<T>(
    call: Call,
    { signal, retries = this.#options.retries ?? RETRIES }: CallOptions,
    attemptIt: (signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await attemptIt(signal)
      } catch (error) {
        const wait = attempt < retries ? this.#waitAfter(error, call, attempt) : undefined
        if (wait === undefined) throw error
        await pause(wait, signal)
      }
    }
  }

  /** How long to wait before the same is tried again; undefined when it is not. */
  #waitAfter(error: unknown, { isRepeatable }: Call, attempt: number): number | undefined {
    if (error instanceof ConnectionError) return isRepeatable ? backOff(attempt) : undefined
    if (!(error instanceof ApiError)) return undefined
    if (error.status === 429 || error.status === 503) {
      // Both were refused before anything was done.
      const { retryAfterMs } = error
      if (retryAfterMs === undefined) return backOff(attempt)
      const longest = this.#options.longestWait ?? LONGEST_WAIT_MS
      return retryAfterMs <= longest ? retryAfterMs + backOff(0) : undefined
    }
    return isRepeatable && isAway(error) ? backOff(attempt) : undefined
  }

  /** One attempt within its time. What goes wrong is thrown as one of this client's errors. */
  async #limited<T>(
    call: Call,
    { timeout = this.#options.timeout ?? TIMEOUT_MS }: CallOptions,
    signal: AbortSignal | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const late = new AbortController()
    const timer = timeout > 0 ? setTimeout(() => late.abort(), timeout) : undefined
    try {
      signal?.throwIfAborted()
      const made = call.body?.()
      const body = made?.body ?? (call.json === undefined ? undefined : JSON.stringify(call.json))
      const response = await this.#fetch(this.urlOf(call), {
        method: call.method,
        headers: { ...this.headersOf(call), ...made?.headers },
        signal: signal ? AbortSignal.any([late.signal, signal]) : late.signal,
        ...(body !== undefined && { body }),
        // Where bodies can be streams, this is required of them.
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
      if (response.ok) return await read(response)
      if (response.status < 400) throw cutOff()
      throw await readFailure(response)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (late.signal.aborted) {
        throw new TimeoutError(`No answer within ${timeout / 1000} seconds.`, { cause: error })
      }
      if (error instanceof DocentError) throw error
      throw new ConnectionError(`The server at ${this.address} could not be reached.`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** A proxy's word that the server behind it is not there now. */
export function isAway(error: unknown): boolean {
  return error instanceof ServerError && error.code === '' && error.status !== 500
}

function readAddress(given: string | undefined): string {
  const here = (globalThis as { location?: { origin?: string } }).location?.origin
  const address = given ?? here
  if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new TypeError('baseUrl is the address of a server, such as https://chat.example.org')
  }
  // People copy the address of the interface as often as that of the server.
  return address.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text()
  // Browsers take headers that were cut off for whole ones, and nothing follows them.
  if (text === '') throw cutOff()
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw new UnexpectedAnswerError(`${response.url} answered with something that is not JSON.`, {
      cause: error,
    })
  }
}

async function readFailure(response: Response): Promise<ApiError> {
  return toFailure(response.status, await response.text(), (name) => response.headers.get(name))
}

export function toFailure(
  status: number,
  text: string,
  header: (name: string) => string | null,
): ApiError {
  let body: Partial<Record<'error' | 'code' | 'request_id' | 'params' | 'details', unknown>> = {}
  try {
    body = Object(JSON.parse(text))
  } catch {
    // A proxy's page says nothing that is worth passing on.
  }
  const requestId = body.request_id ?? header('x-request-id') ?? ''
  return toApiError({
    status,
    code: typeof body.code === 'string' ? body.code : '',
    message: typeof body.error === 'string' ? body.error : `The server answered ${status}.`,
    requestId: String(requestId),
    params: isRecord(body.params) ? body.params : undefined,
    details: body.details,
    retryAfterMs: readRetryAfter(header('retry-after')),
    messageUuid: header('x-message-uuid') ?? undefined,
  })
}

function isRecord(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null
}
