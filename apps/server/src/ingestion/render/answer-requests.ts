import { type FetchedPage, fetchResource, type Resource } from '../fetch/fetch-page.ts'
import type { RenderOptions } from './render-options.ts'

/** A request of a page, stopped on its way (`Fetch.requestPaused` of the protocol). */
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
// What is on its way is in the server's memory.
const MAX_AT_ONCE = 4
// What is only looked at or listened to, and what only reports to somebody.
const NOT_FOR_READING = new Set(['Image', 'Media', 'Font', 'TextTrack', 'Ping', 'Prefetch'])
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS'])
const OF_THE_CONNECTION =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i
const OURS_TO_SAY = /^(?:content-length|accept-encoding|user-agent|cookie)$/i

/** Answers what the scripts of one page ask for: fetched under the guard of every other page, or not at all. */
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

  /** Undefined: it is refused. */
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
      ([name]) => !OF_THE_CONNECTION.test(name) && !OURS_TO_SAY.test(name),
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

  /** What the site keeps from robots, its pages' scripts may not fetch for one. */
  #isAllowedByRobots(url: string): boolean {
    const { origin, pathname, search } = new URL(url)
    return (
      origin !== new URL(this.#page.url).origin || this.#options.robots.allows(pathname + search)
    )
  }
}
