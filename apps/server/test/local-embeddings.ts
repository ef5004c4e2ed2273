import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { startSite } from './harness.ts'

interface EmbeddingsRequest {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; input: string[] }
}

export interface LocalEmbeddings {
  /** The value of EMBEDDINGS_URL. */
  url: string
  requests: EmbeddingsRequest[]
  dimensions: number
  /** The next responses, instead of embeddings. */
  replies: ((response: ServerResponse, request: EmbeddingsRequest) => void)[]
  /** Called before every request. A server that is down refuses at once, a hanging server never responds. */
  state: (request: EmbeddingsRequest) => 'up' | 'down' | 'hanging'
}

export const DIMENSIONS = 8
const TOPICS = [
  /\b(open|hours|unlocked|doors)\b/i,
  /\b(tickets?|costs?|price|admission)\b/i,
  /\b(dogs?|pets|animals)\b/i,
  /\b(soup|café|lunch|eat)\b/i,
]

/** Texts on the same topic point in the same direction. */
export function embedByTopic(text: string, dimensions = DIMENSIONS): number[] {
  const vector = Array<number>(dimensions).fill(-0.1)
  for (const [i, topic] of TOPICS.entries()) if (topic.test(text)) vector[i] = 1
  return vector
}

export function sendEmbeddings(response: ServerResponse, vectors: number[][]): void {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  response.setHeader('content-type', 'application/json')
  // The protocol does not specify an order.
  response.end(JSON.stringify({ object: 'list', data: data.reverse() }))
}

/** A local server for OpenAI's embeddings protocol. */
export async function startEmbeddings(t: {
  after: (end: () => unknown) => void
}): Promise<LocalEmbeddings> {
  const local: LocalEmbeddings = {
    url: '',
    requests: [],
    dimensions: DIMENSIONS,
    replies: [],
    state: () => 'up',
  }
  const address = await startSite(t, async (incoming, response) => {
    const body = (await json(incoming)) as EmbeddingsRequest['body']
    const request = { path: incoming.url!, headers: incoming.headers, body }
    const state = local.state(request)
    local.requests.push(request)
    const reply = local.replies.shift()
    if (reply) reply(response, request)
    else if (state === 'down') response.writeHead(503, { 'retry-after': '0' }).end()
    else if (state === 'up') {
      const vectors = body.input.map((text) => embedByTopic(text, local.dimensions))
      sendEmbeddings(response, vectors)
    }
  })
  local.url = `${address}/v1`
  return local
}
