import { type FetchedPage, fetchResource, type Resource } from '../fetch/fetch-user-url.ts'
import type { RenderOptions } from './render-options.ts'

/** A paused request of a page (`Fetch.requestPaused` of the DevTools protocol). */
export interface PausedRequest {
  requestId: string
  frameId: string
  resourceType: string
  request: {
    url: string
    method: string
    headers: Record<string, string>
    postDataEntries?: { bytes?: string }[]
  }
}

const MAX_REQUESTS = 200
const MAX_TOTAL_BYTES = 30 * 1024 * 1024
const RESOURCE_TIME_LIMIT_MS = 5_000
const RESOURCE_MAX_BYTES = 5 * 1024 * 1024
// Responses in flight are held in the server's memory.
const MAX_AT_ONCE = 4
// Media, fonts and tracking requests add no text.
const NOT_FOR_READING = new Set(['Image', 'Media', 'Font', 'TextTrack', 'Ping', 'Prefetch'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
const HOP_BY_HOP_HEADERS =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
const OVERRIDDEN_HEADERS = /^(?:content-length|accept-encoding|user-agent|cookie)$/i

/** Answers requests of a page's scripts. Each is fetched under the same guard as a page, or refused. */
export class RequestAnswers {
  readonly #page: FetchedPage
  readonly #options: RenderOptions
  readonly #lanes: Promise<unknown>[] = Array(MAX_AT_ONCE).fill(Promise.resolve())
  #requests = 0
  #bytes = 0

  constructor(page: FetchedPage, options: RenderOptions) {
    this.#page = page
    this.#options = options
  }

  /** Resolves to undefined if the request is refused. */
  answer({ resourceType, request }: PausedRequest): Promise<Resource | undefined> {
    this.#requests += 1
    const isRefused =
      this.#requests > MAX_REQUESTS ||
      NOT_FOR_READING.has(resourceType) ||
      !METHODS.has(request.method) ||
      !this.#isAllowedByRobots(request.url)
    if (isRefused) return Promise.resolve(undefined)
    const lane = this.#requests % MAX_AT_ONCE
    const answered = this.#lanes[lane]!.then(() => this.#fetch(request)).catch(() => undefined)
    this.#lanes[lane] = answered
    return answered
  }

  async #fetch({ url, method, headers, postDataEntries = [] }: PausedRequest['request']) {
    const maxBytes = Math.min(RESOURCE_MAX_BYTES, MAX_TOTAL_BYTES - this.#bytes)
    const limits = { maxBytes, timeLimitMs: RESOURCE_TIME_LIMIT_MS }
    const passed = Object.entries(headers).filter(
      ([name]) => !HOP_BY_HOP_HEADERS.test(name) && !OVERRIDDEN_HEADERS.test(name),
    )
    const body = Buffer.concat(
      postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')),
    )
    const resource = await fetchResource(
      url,
      { method, headers: Object.fromEntries(passed), ...(body.length > 0 && { body }) },
      { ...this.#options, ...limits },
    )
    this.#bytes += resource.bytes.length
    return resource
  }

  /** A page's scripts must not fetch what the robots.txt of its site disallows. */
  #isAllowedByRobots(url: string): boolean {
    const { origin, pathname, search } = new URL(url)
    return (
      origin !== new URL(this.#page.url).origin || this.#options.robots.allows(pathname + search)
    )
  }
}
