// Serves a page that searches a chatbot's sources. The token stays on this server, which also limits what the page can
// request.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { env } from 'node:process'
import { ApiError, Docent } from '@docent/client'

const { DOCENT_URL, DOCENT_TOKEN, CHATBOT, PORT } = env
const docent = new Docent({ baseUrl: DOCENT_URL!, token: DOCENT_TOKEN!, timeout: 10_000 })
const page = readFileSync(new URL('./documentation-search.html', import.meta.url))

async function search(query: string, signal: AbortSignal) {
  const found = await docent.chatbots.search(CHATBOT!, query, { limit: 8, signal })
  return found.map(({ title, text, url, page }) => ({ title, text, url, page }))
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://here')
  if (pathname === '/') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    return
  }
  const query = searchParams.get('q')?.trim() ?? ''
  if (pathname !== '/search' || query === '') {
    response.writeHead(404).end()
    return
  }
  // Cancel the search when the user types on.
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  try {
    const results = await search(query.slice(0, 500), gone.signal)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(results))
  } catch (error) {
    if (gone.signal.aborted) return
    process.stderr.write(`${error}\n`)
    response.writeHead(error instanceof ApiError ? error.status : 502).end()
  }
})
server.listen(Number(PORT ?? 8081), () => {
  process.stdout.write(`Listening at ${JSON.stringify(server.address())}\n`)
})
