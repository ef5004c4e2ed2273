import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { type FetchedPage, USER_AGENT } from '../fetch/fetch-user-url.ts'
import type { Look } from '../journey/follow-page.ts'
import { type PausedRequest, RequestAnswers } from './answer-requests.ts'
import { BrowserProcess } from './browser-process.ts'
import type { RenderOptions } from './render-options.ts'

export interface RenderLimits {
  /** Limit on the page's virtual time, which stands still while a request is pending. */
  pageMs: number
  /** How long the page may run in real time. After that, it is used in its current state. */
  settleMs: number
  /** Limit on the whole rendering, browser start included. */
  totalMs: number
  memoryMb: number
}

const LIMITS: RenderLimits = { pageMs: 5_000, settleMs: 12_000, totalMs: 20_000, memoryMb: 1_024 }
const BYTES_IN_MB = 1024 * 1024
const MAX_CHARACTERS = 10 * BYTES_IN_MB

/** Runs the scripts of pages in headless Chromium: one page at a time, each in its own browser. */
export class PageRenderer {
  readonly #program: string
  readonly #limits: RenderLimits
  readonly #folder: string
  #last: Promise<unknown> = Promise.resolve()

  /** Each browser gets a temporary folder below `folder`. */
  constructor(program: string, limits: Partial<RenderLimits> = {}, folder = tmpdir()) {
    this.#program = program
    this.#folder = folder
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Returns the HTML after the scripts have run, or the URL that they navigate to. */
  render(page: FetchedPage, options: RenderOptions): Promise<Look<string>> {
    const turn = this.#last.then(() => this.#renderAlone(page, options))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #renderAlone(page: FetchedPage, options: RenderOptions): Promise<Look<string>> {
    options.signal?.throwIfAborted()
    const { totalMs, memoryMb } = this.#limits
    const timeLimit = AbortSignal.timeout(totalMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeLimit]) : timeLimit
    const folder = await mkdtemp(join(this.#folder, 'docent-browser-'))
    const browser = new BrowserProcess(this.#program, folder, memoryMb)
    try {
      const rendering = renderIn(browser, page, { ...options, signal }, this.#limits)
      return await Promise.race([rendering, browser.failure, whenAborted(signal)])
    } catch (error) {
      throw renderingFailed(error, timeLimit)
    } finally {
      await browser.end()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
    }
  }
}

async function renderIn(
  browser: BrowserProcess,
  page: FetchedPage,
  options: RenderOptions,
  { pageMs, settleMs }: RenderLimits,
): Promise<Look<string>> {
  const { targetId } = await browser.call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await browser.call('Target.attachToTarget', { targetId, flatten: true })
  const call = (method: string, params?: object) => browser.call(method, params, sessionId)

  const sentTo = Promise.withResolvers<Look<string>>()
  const answers = new RequestAnswers(page, options)
  let isOpened = false
  const settle = async (paused: PausedRequest): Promise<object> => {
    // The main frame has the ID of its target, and its page is already fetched. Every other document is refused: a
    // navigation leads to another page, and the text of an iframe belongs to another page.
    const isPage = paused.resourceType === 'Document' && paused.frameId === targetId
    if (isPage && isOpened) sentTo.resolve({ leadsTo: paused.request.url.replace(/#.*$/s, '') })
    if (paused.resourceType === 'Document' && (!isPage || isOpened)) return REFUSED
    isOpened = true
    const resource = isPage ? asResource(page) : await answers.answer(paused)
    if (!resource) return REFUSED
    const { status, headers, bytes } = resource
    const body = Buffer.from(bytes).toString('base64')
    return { responseCode: status, responseHeaders: headers, body }
  }
  browser.events.on('Fetch.requestPaused', async (paused: PausedRequest) => {
    const answer = await settle(paused).catch(() => REFUSED)
    const method = answer === REFUSED ? 'Fetch.failRequest' : 'Fetch.fulfillRequest'
    const { requestId } = paused
    // The browser may reject the response or no longer wait for it. Fail the request then.
    await call(method, { requestId, ...answer }).catch(() =>
      call('Fetch.failRequest', { requestId, ...REFUSED }).catch(() => {}),
    )
  })
  browser.events.on('Page.javascriptDialogOpening', () => {
    call('Page.handleJavaScriptDialog', { accept: true }).catch(() => {})
  })
  await call('Page.enable')
  await call('Emulation.setUserAgentOverride', { userAgent: USER_AGENT })
  await call('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
  await call('Page.navigate', { url: page.url })
  const expired = once(browser.events, 'Emulation.virtualTimeBudgetExpired')
  const policy = { policy: 'pauseIfNetworkFetchesPending', budget: pageMs }
  await call('Emulation.setVirtualTimePolicy', {
    ...policy,
    maxVirtualTimeTaskStarvationCount: 1e3,
  })
  const ended = Promise.race([expired, sleep(settleMs, undefined, { ref: false })])
  return Promise.race([sentTo.promise, ended.then(() => readHtml(call))])
}

const REFUSED = { errorReason: 'Aborted' }

function asResource({ bytes, contentType, charset }: FetchedPage) {
  const type = `${contentType || 'text/html'}${charset ? `; charset=${charset}` : ''}`
  return { status: 200, headers: [{ name: 'content-type', value: type }], bytes }
}

async function readHtml(
  call: (
    method: string,
    params?: object,
  ) => Promise<{
    root: { nodeId: number }
    outerHTML: string
  }>,
): Promise<Look<string>> {
  const { root } = await call('DOM.getDocument', { depth: 0 })
  const { outerHTML } = await call('DOM.getOuterHTML', { nodeId: root.nodeId })
  if (outerHTML.length <= MAX_CHARACTERS) return { found: outerHTML }
  const params = { megabytes: MAX_CHARACTERS / BYTES_IN_MB }
  throw new IngestionError('error:download', { code: 'page_too_large', params })
}

async function whenAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

function renderingFailed(error: unknown, timeLimit: AbortSignal): Error {
  if (error instanceof IngestionError) return error
  const isLate = timeLimit.aborted
  const code = isLate ? 'scripts_too_long' : 'browser_failed'
  const failed = new IngestionError('error:no text', { code }, { mayPass: !isLate })
  failed.cause = error
  return failed
}
