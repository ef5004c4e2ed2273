import { ConnectionError } from './http/errors.ts'
import { type CallOptions, type Transport, toFailure } from './http/send-request.ts'
import {
  browserForm,
  canStreamBodies,
  nameOf,
  sendByXhr,
  streamedForm,
  type Uploadable,
  type UploadParts,
  type UploadProgress,
} from './http/upload.ts'
import { eachOf, listPage, type PageOptions, uuidOf } from './lists.ts'
import type { Excerpt, RescrapeResult, Source, SourcePassage, Success } from './records.ts'
import type { QaSourceOptions, Ref, UrlSourceOptions } from './request-types.ts'
import type { ReadingChange } from './requests.ts'
import { type WaitOptions, waitUntilReady } from './wait-until-ready.ts'

export interface UploadOptions extends CallOptions {
  /** The file's name, where the file does not say it. The server tells its type by name and content. */
  name?: string | undefined
  /** Where readers of a citation find it. */
  referenceSourceLink?: string | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

export interface PassagesOptions extends CallOptions {
  /** At most so many, 1 to 1,000; all of them unless given. */
  limit?: number | undefined
  /** Only what comes after the passage of this id. */
  after?: number | undefined
}

/** Where a citation stands; `messageMeta(message).receipts` has it. */
export interface CitedRange {
  revision: string
  start: number
  end: number
}

/** What a chatbot answers from: pages, whole sites, question-and-answer pairs, files. */
export class Sources {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * A page, or with `crawl` a whole site. It is there at once, and searchable when it is ready.
   *
   * @example
   * ```ts
   * const page = await client.sources.addUrl(chatbot, 'https://example.org/visit')
   * const site = await client.sources.addUrl(chatbot, 'https://example.org/', {
   *   crawl: { max_pages: 200, include: ['/docs', '/faq'] },
   *   refresh_hours: 24,
   * })
   * ```
   */
  addUrl(
    chatbot: Ref,
    url: string,
    {
      crawl,
      refresh_hours,
      reference_source_link,
      ...options
    }: UrlSourceOptions & CallOptions = {},
  ): Promise<Source> {
    const path = `/chatbot/${uuidOf(chatbot)}/data-source/url`
    const json = { url, crawl, refresh_hours, reference_source_link }
    return this.#transport.json({ method: 'POST', path, json }, options)
  }

  /**
   * A question with its answer.
   *
   * @example
   * ```ts
   * const source = await client.sources.addQa(chatbot, 'When are you open?', 'Daily from 9 to 17.')
   * await client.sources.waitUntilReady(source)
   * ```
   */
  addQa(
    chatbot: Ref,
    question: string,
    answer: string,
    { reference_source_link, ...options }: QaSourceOptions & CallOptions = {},
  ): Promise<Source> {
    const path = `/chatbot/${uuidOf(chatbot)}/data-source/qa`
    const json = { question, answer, reference_source_link }
    return this.#transport.json({ method: 'POST', path, json }, options)
  }

  /**
   * Uploads a file: a Blob or File, a stream, or in Node, Deno and Bun a path by `openFile`. There is no time limit
   * unless one is given.
   *
   * @example
   * ```ts
   * import { openFile } from '@docent/client/node'
   *
   * const notes = new Blob(['# Tickets\n\nA ticket costs 12 euros.'])
   * await client.sources.upload(chatbot, notes, { name: 'tickets.md' })
   * await client.sources.upload(chatbot, await openFile('handbook.pdf'), {
   *   onProgress: ({ sent, total }) => console.log(`${sent} of ${total} bytes`),
   * })
   * ```
   */
  async upload(chatbot: Ref, file: Uploadable, options: UploadOptions = {}): Promise<Source> {
    const { name, referenceSourceLink, onProgress, ...others } = options
    const path = `/chatbot/${uuidOf(chatbot)}/data-source/upload`
    const call = { method: 'POST', path } as const
    const limits: CallOptions = { timeout: 0, ...others }
    // What cannot be read twice cannot be sent twice either.
    if (file instanceof ReadableStream) limits.retries = 0
    const parts: UploadParts = { name: nameOf(file, name), file, referenceSourceLink }
    if (canStreamBodies()) {
      return this.#transport.json({ ...call, body: streamedForm(parts, onProgress) }, limits)
    }
    const form = await browserForm(parts)
    if (onProgress && typeof XMLHttpRequest === 'function') {
      return this.#uploadByXhr(path, form, onProgress, limits)
    }
    return this.#transport.json({ ...call, body: () => ({ body: form }) }, limits)
  }

  async #uploadByXhr(
    path: string,
    form: FormData,
    onProgress: (progress: UploadProgress) => void,
    { signal, timeout = 0 }: CallOptions,
  ): Promise<Source> {
    const call = { method: 'POST', path } as const
    const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined
    const either = limit && signal ? AbortSignal.any([limit, signal]) : (limit ?? signal)
    const { status, text, header } = await sendByXhr(
      this.#transport.urlOf(call),
      this.#transport.headersOf(call),
      form,
      onProgress,
      either,
    ).catch((error) => {
      if (either?.aborted) throw either.reason
      throw new ConnectionError('The upload was cut off.', { cause: error })
    })
    if (status !== 200) throw toFailure(status, text, header)
    return JSON.parse(text)
  }

  /** The sources of a chatbot, oldest first, or the page that is asked for. */
  list(chatbot: Ref, options: PageOptions = {}): Promise<Source[]> {
    return listPage(this.#transport, `/chatbot/${uuidOf(chatbot)}/data-sources`, options)
  }

  each(chatbot: Ref, options: PageOptions = {}): AsyncGenerator<Source, void, undefined> {
    return eachOf(this.#transport, `/chatbot/${uuidOf(chatbot)}/data-sources`, options)
  }

  get(source: Ref, options?: CallOptions): Promise<Source> {
    const call = { method: 'GET', path: pathOf(source), isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  rename(source: Ref, title: string, options?: CallOptions): Promise<Source> {
    const call = { method: 'POST', path: `${pathOf(source)}/update`, json: { title } } as const
    return this.#transport.json({ ...call, isRepeatable: true }, options)
  }

  /**
   * Changes how a page or a site is read, from the next reading on.
   *
   * @example
   * ```ts
   * await client.sources.changeReading(source, { crawl: { max_pages: 500 }, refresh_hours: null })
   * ```
   */
  changeReading(
    source: Ref,
    { crawl, refresh_hours }: ReadingChange,
    options?: CallOptions,
  ): Promise<Source> {
    const json = { crawl, refresh_hours }
    const call = { method: 'POST', path: `${pathOf(source)}/url/update`, json } as const
    return this.#transport.json({ ...call, isRepeatable: true }, options)
  }

  delete(source: Ref, options?: CallOptions): Promise<Success> {
    return this.#transport.json({ method: 'POST', path: `${pathOf(source)}/delete` }, options)
  }

  /** All or nothing: one that is unknown, and none is deleted. */
  deleteMany(sources: Ref[], options?: CallOptions): Promise<Success> {
    const json = { uuids: sources.map(uuidOf) }
    return this.#transport.json({ method: 'POST', path: '/data-sources/delete', json }, options)
  }

  /** Takes a source in again: a page is fetched again, a file or a pair is read again. */
  retry(source: Ref, options?: CallOptions): Promise<Success> {
    const call = { method: 'POST', path: `${pathOf(source)}/retry`, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** Fetches pages again, and says for each whether it does. */
  rescrape(sources: Ref[], options?: CallOptions): Promise<RescrapeResult[]> {
    const json = { uuids: sources.map(uuidOf) }
    const call = { method: 'POST', path: '/data-sources/url/re-scrape', json } as const
    return this.#transport.json({ ...call, isRepeatable: true }, options)
  }

  /** What became of it. */
  passages(
    source: Ref,
    { limit, after, ...options }: PassagesOptions = {},
  ): Promise<SourcePassage[]> {
    const path = `${pathOf(source)}/passages`
    const call = { method: 'GET', path, query: { limit, after }, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** A cited range with the text around it. */
  excerpt(
    source: Ref,
    { revision, start, end }: CitedRange,
    options?: CallOptions,
  ): Promise<Excerpt> {
    const path = `${pathOf(source)}/excerpt`
    const query = { revision, start, end }
    return this.#transport.json({ method: 'GET', path, query, isRepeatable: true }, options)
  }

  /**
   * Waits until a source is searchable; throws a `SourceFailedError` when it cannot become so.
   *
   * @example
   * ```ts
   * const ready = await client.sources.waitUntilReady(source, {
   *   giveUpAfter: 600_000,
   *   onProgress: ({ status }, progress) => console.log(status, progress?.percent),
   * })
   * console.log(ready.tokens)
   * ```
   */
  waitUntilReady(source: Ref, options: WaitOptions = {}): Promise<Source> {
    return waitUntilReady((each) => this.get(source, each), options)
  }
}

function pathOf(source: Ref): string {
  return `/data-source/${uuidOf(source)}`
}
