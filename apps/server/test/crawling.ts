import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { type Ends, startTestServer } from './harness.ts'

export type Reply =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
export type Pages = Record<string, Reply | ((path: string) => Reply)>

interface Receipt {
  url: string
  page: number | null
}

/** A local site: its pages by path, the requests so far, and a private server beside it that crawls must not reach. */
export async function startPages(t: Ends, pages: Pages) {
  const requests: { path: string; conditional: boolean; status: number }[] = []
  const inner: string[] = []
  const listen = async (handler: (request: IncomingMessage, response: ServerResponse) => void) => {
    const server: Server = createServer(handler).listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const internal = await listen((request, response) => {
    inner.push(request.url!)
    response.end('secret')
  })
  const origin = await listen((request, response) => {
    const path = request.url!
    const entry =
      pages[path] ??
      Object.entries(pages).find(
        ([key]) => key.endsWith('*') && path.startsWith(key.slice(0, -1)),
      )?.[1]
    const reply = typeof entry === 'function' ? entry(path) : entry
    const {
      status = 200,
      headers = {},
      body = '',
    } = reply === undefined ? { status: 404 } : typeof reply === 'string' ? { body: reply } : reply
    const text =
      typeof body === 'string'
        ? body.replaceAll('ORIGIN', origin).replaceAll('INTERNAL', internal)
        : body
    const etag = `"${Buffer.from(text).length}-${Buffer.from(text).toString('base64').slice(0, 60)}"`
    const conditional = request.headers['if-none-match'] !== undefined
    const unchanged = status === 200 && request.headers['if-none-match'] === etag
    requests.push({ path, conditional, status: unchanged ? 304 : status })
    const location = headers.location?.replaceAll('INTERNAL', internal)
    response.writeHead(unchanged ? 304 : status, {
      'content-type': 'text/html; charset=utf-8',
      etag,
      ...headers,
      ...(location && { location }),
    })
    response.end(unchanged ? undefined : text)
  })
  return { origin, pages, requests, inner }
}

/** Starts a site and a server that may read it. */
export async function startCrawling(
  t: TestContext,
  pages: Pages,
  environment: NodeJS.ProcessEnv = {},
) {
  const site = await startPages(t, pages)
  const server = await startTestServer(t, {
    environment: { ALLOW_PRIVATE_HOSTS: '127.0.0.1', ...environment },
  })
  const { owner, services } = server
  const chatbot = await owner.createChatbot({ show_citations: true })
  /** Reads a single page, unless `more` has settings for a crawl. */
  const read = async (path: string, more: object = {}) => {
    const { status, body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: new URL(path, site.origin).href,
      ...more,
    })
    assert.equal(status, 200, JSON.stringify(body))
    return owner.settled(body.uuid)
  }
  const crawl = (settings: object = {}, path = '/') => read(path, { crawl: settings })
  const again = async (uuid: string) => {
    site.requests.length = 0
    await owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] })
    return owner.settled(uuid)
  }
  const stored = async () => {
    const rows = await services.db.selectFrom('source_pages').select('url').orderBy('url').execute()
    return rows.map(({ url }) => url.replace(site.origin, ''))
  }
  const ask = async (query: string) => {
    const session = await owner.createSession(chatbot)
    const text = await (await owner.ask(session, query)).text()
    const [message] = await owner.messages(session)
    return {
      text,
      receipts: Object.values(JSON.parse(message.meta_json).receipts) as [Receipt, ...Receipt[]],
    }
  }
  return { ...server, site, chatbot, read, crawl, again, stored, ask }
}

export const page = (title: string, text: string, ...links: string[]) =>
  `<!doctype html><title>${title}</title><main><p>${text}</p></main>${links.map((link) => `<a href="${link}">x</a>`).join('')}`
