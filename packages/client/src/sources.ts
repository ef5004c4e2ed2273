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
  /** The file name, if the file has none. The server detects the type from the name and the content. */
  name?: string | undefined
  /** The link that readers of a citation get. */
  referenceSourceLink?: string | undefined
  onProgress?: ((progress: UploadProgress) => void) | undefined
}

export interface PassagesOptions extends CallOptions {
  /** The maximum number of passages, 1 to 1,000. Default: all. */
  limit?: number | undefined
  /** Only passages after the one with this ID. */
  after?: number | undefined
}

/** The position of a citation. `messageMeta(message).receipts` contains it. */
export interface CitedRange {
  revision: string
  start: number
  end: number
}

/** The sources of a chatbot: pages, sites, question-and-answer pairs and files. */
export class Sources {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Adds a page or, with `crawl`, a whole site. The record exists immediately. It becomes searchable when it is ready.
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
   * Adds a question-and-answer pair.
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
   * Uploads a file: a Blob or File, a stream, or a path through `openFile` in Node, Deno and Bun. Uploads have no
   * timeout unless you set it.
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
    // A stream can be read only once, so a retry is impossible.
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

  /** Lists the sources of a chatbot, oldest first, or one page of them. */
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
   * Changes how a page or site is read. It applies from the next read on.
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

  /** Deletes all or none: if a source is unknown, no source is deleted. */
  deleteMany(sources: Ref[], options?: CallOptions): Promise<Success> {
    const json = { uuids: sources.map(uuidOf) }
    return this.#transport.json({ method: 'POST', path: '/data-sources/delete', json }, options)
  }

  /** Processes a source again: fetches a page again, or reads a file or pair again. */
  retry(source: Ref, options?: CallOptions): Promise<Success> {
    const call = { method: 'POST', path: `${pathOf(source)}/retry`, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** Fetches pages again. The result has an entry for each source that says whether it is fetched. */
  rescrape(sources: Ref[], options?: CallOptions): Promise<RescrapeResult[]> {
    const json = { uuids: sources.map(uuidOf) }
    const call = { method: 'POST', path: '/data-sources/url/re-scrape', json } as const
    return this.#transport.json({ ...call, isRepeatable: true }, options)
  }

  /** Lists the passages of a source. */
  passages(
    source: Ref,
    { limit, after, ...options }: PassagesOptions = {},
  ): Promise<SourcePassage[]> {
    const path = `${pathOf(source)}/passages`
    const call = { method: 'GET', path, query: { limit, after }, isRepeatable: true } as const
    return this.#transport.json(call, options)
  }

  /** Gets a cited range with the text around it. */
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
   * Waits until a source is searchable. Throws a `SourceFailedError` if processing fails.
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
