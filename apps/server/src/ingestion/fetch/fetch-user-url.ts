import { lookup } from 'node:dns/promises'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Failure } from '@docent/contract/failures/failure-codes.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { readRetryAfter } from '../../runtime/retry-after.ts'
import { VERSION } from '../../runtime/version.ts'
import { type RobotsTag, readRobotsTag } from '../crawl/robots.ts'
import type { ConnectionGuard } from './connection-guard.ts'
import { isWebPort } from './public-addresses.ts'

export interface FetchedPage {
  /** The final URL after redirects. */
  url: string
  bytes: Uint8Array
  /** The media type in lower case without parameters. Empty if the header is missing. */
  contentType: string
  charset: string | undefined
  etag: string
  last_modified: string
  robotsTag: RobotsTag
  /** The site answered 304 to the given validators, so `bytes` is empty. */
  unchanged: boolean
  /** The target of a redirect that was not followed. */
  redirectedTo?: string
}

/** Response headers that are sent back in a conditional request, so that unchanged pages are not downloaded. */
export interface Validators {
  etag: string
  last_modified: string
}

export interface FetchOptions {
  guard: ConnectionGuard
  signal?: AbortSignal
  /** If false, the caller handles redirects. */
  followRedirects?: boolean
  /** The only allowed origin, redirects included. */
  stayOn?: string
  /** The URL that the user named, if it differs. Only the service at that URL may be private. */
  startedAt?: string
  /** Called before each request. Throws to refuse it. */
  beforeHop?: (url: URL) => Promise<void>
  /** Returns the validators of an earlier fetch of the URL. */
  known?: (url: string) => Validators | undefined
  maxBytes?: number
  timeLimitMs?: number
  resolve?: (hostname: string) => Promise<string[]>
}

export const USER_AGENT = `Docent/${VERSION.replace(/\.\d+$/, '')}`

const MAX_REDIRECTS = 5
const BYTES_IN_MB = 1024 * 1024
const MAX_BYTES = 20 * BYTES_IN_MB
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const DECODERS = new Map<string | undefined, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

/**
 * This module is the only place that connects to addresses named by users. Each hop is checked, and the connection goes
 * to exactly the addresses that were checked. DNS rebinding therefore gains nothing.
 */
export async function fetchPage(url: string, options: FetchOptions): Promise<FetchedPage> {
  const { maxBytes = MAX_BYTES } = options
  const signal = limitTime(options)
  let current = parseWebUrl(url)
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (options.stayOn !== undefined && current.origin !== options.stayOn) {
      throw new IngestionError('error:download', { code: 'leads_away' })
    }
    const addresses = await resolveChecked(current, url, options)
    await options.beforeHop?.(current)
    const known = options.known?.(current.href)
    const response = await send(current, addresses, signal, { headers: pageHeaders(known) })
    try {
      const target = response.headers.location
      if (REDIRECTS.has(response.statusCode!) && target !== undefined) {
        const next = parseWebUrl(target, current)
        if (options.followRedirects === false) {
          return { ...nothing(current), ...readHeaders(response), redirectedTo: next.href }
        }
        current = next
        continue
      }
      if (response.statusCode === 304 && known) {
        return { ...nothing(current), ...readHeaders(response), unchanged: true }
      }
      requireSuccess(response)
      const bytes = await readBody(response, maxBytes, signal)
      return { ...nothing(current), ...readHeaders(response), bytes }
    } finally {
      response.destroy()
    }
  }
  const failure = { code: 'too_many_redirects', params: { most: MAX_REDIRECTS } } as const
  throw new IngestionError('error:download', failure)
}

/** A request of a page's script. */
export interface ResourceRequest {
  method: string
  headers: OutgoingHttpHeaders
  body?: Uint8Array | undefined
}
export interface Resource {
  status: number
  headers: { name: string; value: string }[]
  bytes: Uint8Array
}

/** Fetches a resource that a page needs for rendering, under the same guard. The page handles every status itself. */
export async function fetchResource(
  url: string,
  request: ResourceRequest,
  options: FetchOptions,
): Promise<Resource> {
  const signal = limitTime(options)
  const target = parseWebUrl(url)
  const response = await send(target, await resolveChecked(target, url, options), signal, request)
  try {
    const bytes = await readBody(response, options.maxBytes ?? MAX_BYTES, signal)
    return { status: response.statusCode!, headers: headersOfContent(response), bytes }
  } finally {
    response.destroy()
  }
}

function limitTime({ signal, timeLimitMs = 30_000 }: FetchOptions): AbortSignal {
  const timeLimit = AbortSignal.timeout(timeLimitMs)
  return signal ? AbortSignal.any([signal, timeLimit]) : timeLimit
}

export interface PostOptions extends Pick<FetchOptions, 'guard' | 'resolve'> {
  headers: Record<string, string>
  signal: AbortSignal
  timeLimitMs: number
}

/** Posts JSON to a URL named by a user, under the same checks. Returns the response status. */
export async function postToUser(url: string, body: string, options: PostOptions): Promise<number> {
  const target = parseWebUrl(url)
  const addresses = await resolveChecked(target, url, options)
  const headers = { 'content-type': 'application/json', ...options.headers }
  const request = { method: 'POST', headers, body: Buffer.from(body) }
  const response = await send(target, addresses, limitTime(options), request)
  response.destroy()
  return response.statusCode!
}

function nothing({ href }: URL) {
  return { url: href, bytes: new Uint8Array(), unchanged: false }
}

/** Strips credentials and the hash. Throws unless the URL is http or https. */
export function parseWebUrl(given: string, base?: URL): URL {
  const url = URL.parse(given, base?.href)
  if (!url) throw new IngestionError('error:download', { code: 'not_url' })
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new IngestionError('error:download', { code: 'not_web_address' })
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  return url
}

async function resolveChecked(
  url: URL,
  given: string,
  { startedAt = given, guard, resolve = lookUp }: FetchOptions,
): Promise<string[]> {
  if (!isWebPort(url.port)) {
    const failure = { code: 'no_web_port', params: { port: Number(url.port) } } as const
    throw new IngestionError('error:download', failure)
  }
  return guard.resolveAllowed(url, { startedAt: parseWebUrl(startedAt), resolve })
}

async function lookUp(hostname: string): Promise<string[]> {
  try {
    return (await lookup(hostname, { all: true })).map(({ address }) => address)
  } catch (error) {
    // Other codes mean that DNS fails on this machine, not that the name is wrong.
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ENOTFOUND'
    const code = isUnknown ? 'host_not_found' : 'dns_silent'
    const failure = { code, params: { host: hostname } } as const
    throw new IngestionError('error:download', failure, { mayPass: true })
  }
}

async function send(
  url: URL,
  checked: string[],
  signal: AbortSignal,
  { method = 'GET', headers, body }: Partial<ResourceRequest>,
): Promise<IncomingMessage> {
  const addresses = checked.map((address) => ({ address, family: isIP(address) }))
  // Imported on first use: these modules take ten megabytes, for a client that is not used here.
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      signal,
      agent: false,
      // Connect to the addresses checked above. A second lookup could return others.
      lookup: (_host, options, done) =>
        options.all
          ? done(null, addresses)
          : done(null, addresses[0]!.address, addresses[0]!.family),
      headers: { ...headers, 'user-agent': USER_AGENT, 'accept-encoding': 'gzip, deflate, br' },
    })
    outgoing.on('response', resolve)
    outgoing.on('error', (error) => reject(downloadFailed(error, signal)))
    // A response that switches protocols closes the request without a `response` or `error` event.
    outgoing.on('close', () => reject(downloadFailed(undefined, signal)))
    outgoing.end(body)
  })
}

function pageHeaders(known: Validators | undefined): OutgoingHttpHeaders {
  return {
    accept: 'text/html,text/markdown,text/plain;q=0.9,*/*;q=0.5',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.last_modified && { 'if-modified-since': known.last_modified }),
  }
}

function requireSuccess({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode === 200) return
  if (statusCode === 404 || statusCode === 410) {
    const failure = { code: 'no_such_page', params: { status: statusCode } } as const
    throw new IngestionError('error:not found', failure)
  }
  const isAskedTooOften = statusCode === 429
  const mayPass = isAskedTooOften || statusCode >= 500
  const retryAfterMs = mayPass ? readRetryAfter(headers['retry-after']) : undefined
  const prospects = { mayPass, retryAfterMs, isAskedTooOften }
  throw new IngestionError('error:download', failureOf(statusCode), prospects)
}

function failureOf(status: number): Failure {
  if (status === 401) return { code: 'asks_password' }
  if (status === 403) return { code: 'site_forbids' }
  if (status === 429) return { code: 'asked_too_often' }
  return { code: status >= 500 ? 'site_trouble' : 'site_answered', params: { status } }
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  const body = decompressed(response)
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size > maxBytes) {
      const params = { megabytes: maxBytes / BYTES_IN_MB }
      body.destroy(new IngestionError('error:download', { code: 'page_too_large', params }))
    }
  })
  try {
    await finished(body, { signal })
  } catch (error) {
    throw downloadFailed(error, signal)
  }
  return Buffer.concat(chunks)
}

function decompressed(
  response: IncomingMessage,
): NodeJS.ReadableStream & { destroy(error?: Error): void } {
  const createDecoder = DECODERS.get(response.headers['content-encoding']?.toLowerCase())
  if (!createDecoder) return response
  const stream = createDecoder()
  response.on('error', (error) => stream.destroy(error))
  return response.pipe(stream)
}

function readHeaders({ headers, headersDistinct }: IncomingMessage) {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';')
  const charset = parameters.join(';').match(/charset\s*=\s*"?([\w-]+)/i)?.[1]
  return {
    contentType: type.trim().toLowerCase(),
    charset,
    etag: headers.etag ?? '',
    last_modified: headers['last-modified'] ?? '',
    robotsTag: readRobotsTag(headersDistinct['x-robots-tag'] ?? []),
  }
}

/** The body is already decompressed, so headers about its encoding and length no longer apply. */
function headersOfContent({ rawHeaders }: IncomingMessage): Resource['headers'] {
  const headers: Resource['headers'] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name, value] = [rawHeaders[i]!, rawHeaders[i + 1]!]
    if (!/^(content-encoding|content-length|transfer-encoding|connection)$/i.test(name)) {
      headers.push({ name, value })
    }
  }
  return headers
}

function downloadFailed(error: unknown, signal: AbortSignal): IngestionError {
  if (error instanceof IngestionError) return error
  const tookLong = signal.aborted
  const failure: Failure = tookLong ? { code: 'answer_too_slow' } : describeFault(error)
  return new IngestionError('error:download', failure, { mayPass: true, tookLong })
}

function describeFault(error: unknown): Failure {
  const code = String((error as NodeJS.ErrnoException | undefined)?.code)
  // Report an expired or invalid certificate separately, because the site's owner can fix it.
  return /CERT|LEAF_SIGNATURE/.test(code)
    ? { code: 'certificate_invalid', params: { reason: code } }
    : { code: 'connection_failed' }
}
