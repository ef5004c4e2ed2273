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

export interface ClientOptions {
  /** The server's address, for example `https://chat.example.org`. Optional on pages of that server. */
  baseUrl?: string
  /** An API token. Without it, only the endpoints for visitors and signed-in pages work. */
  token?: string
  /** Timeout of each attempt in milliseconds. Default: 60,000. Pass 0 for no timeout. */
  timeout?: number
  /** How often to retry a request after a temporary failure. Default: 4. */
  retries?: number
  /** Do not retry if the server asks to wait longer than this, in milliseconds. Default: 30,000. */
  longestWait?: number
  /** Headers for every request. */
  headers?: Record<string, string>
  /** Replaces the platform's `fetch`. */
  fetch?: typeof fetch
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined
  /** Timeout of this call in milliseconds. Overrides the client's. Pass 0 for no timeout. */
  timeout?: number | undefined
  /** Retries of this call. Overrides the client's. */
  retries?: number | undefined
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Relative to `/api/v1`. */
  path: string
  query?: Record<string, string | number | Date | undefined>
  /** The body, sent as JSON. */
  json?: unknown
  /** The body, sent as it is. The function creates it again for each attempt. */
  body?: () => { body: BodyInit; headers?: Record<string, string> }
  headers?: Record<string, string>
  /** Overrides the client's token. */
  token?: string | undefined
  /** Repeating it is harmless, so a retry is safe even if the first request may have arrived. */
  isRepeatable?: boolean
}

const TIMEOUT_MS = 60_000
const RETRIES = 4
const LONGEST_WAIT_MS = 30_000

/** Sends requests, retries where that is safe, and throws responses with an error status as errors. */
export class Transport {
  readonly address: string
  readonly #options: ClientOptions
  readonly #fetch: typeof fetch

  constructor(options: ClientOptions) {
    this.#options = options
    this.address = readAddress(options.baseUrl)
    // Browsers throw "Illegal invocation" when `fetch` is called as a method of another object.
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

  /** A page of a list, and the uuid after which the next page starts. */
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
   * Opens a response without reading its body. The timeout covers only the headers. A lost connection is not retried
   * here: the reader of the body must handle that anyway.
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

  /** How long to wait before a retry. Undefined means no retry. */
  #waitAfter(error: unknown, { isRepeatable }: Call, attempt: number): number | undefined {
    if (error instanceof ConnectionError) return isRepeatable ? backOff(attempt) : undefined
    if (!(error instanceof ApiError)) return undefined
    if (error.status === 429 || error.status === 503) {
      // The server rejects these before it does anything, so a retry is safe for every request.
      const { retryAfterMs } = error
      if (retryAfterMs === undefined) return backOff(attempt)
      const longest = this.#options.longestWait ?? LONGEST_WAIT_MS
      return retryAfterMs <= longest ? retryAfterMs + backOff(0) : undefined
    }
    return isRepeatable && isAway(error) ? backOff(attempt) : undefined
  }

  /** One attempt within its timeout. Wraps failures in the client's own errors. */
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
        // `fetch` requires this for stream bodies.
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      })
      if (response.ok) return await read(response)
      if (response.status < 400) throw cutOff()
      throw await readFailure(response)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (late.signal.aborted) {
        throw new TimeoutError(`No response within ${timeout / 1000} seconds.`, { cause: error })
      }
      if (error instanceof DocentError) throw error
      throw new ConnectionError(`Cannot reach the server at ${this.address}.`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Whether a proxy reports that the server behind it is unavailable. */
export function isAway(error: unknown): boolean {
  return error instanceof ServerError && error.code === '' && error.status !== 500
}

function readAddress(given: string | undefined): string {
  const here = (globalThis as { location?: { origin?: string } }).location?.origin
  const address = given ?? here
  if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new TypeError('baseUrl is the address of a server, such as https://chat.example.org')
  }
  // Users often paste the address of the API.
  return address.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text()
  // Users often paste the address of the API instead of the server's.
  if (text === '') throw cutOff()
  try {
    return JSON.parse(text) as T
  } catch (error) {
    throw new UnexpectedAnswerError(`${response.url} did not respond with JSON.`, {
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
    // An error page of a proxy has no useful message.
  }
  const requestId = body.request_id ?? header('x-request-id') ?? ''
  return toApiError({
    status,
    code: typeof body.code === 'string' ? body.code : '',
    message:
      typeof body.error === 'string' ? body.error : `The server responded with status ${status}.`,
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
