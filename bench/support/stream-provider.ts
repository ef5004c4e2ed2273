import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// A provider that speaks OpenAI's protocol as fast as it can. The user's last message has the form "words gap": this
// many words, with this many milliseconds between them. The model `silent` never responds.

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`
const WORD = chunk({ content: ' word' })
const END = `${chunk({}, 'stop')}data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\ndata: [DONE]\n\n`

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end('{"object":"list","data":[{"id":"bench"}]}')
    return
  }
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    const { messages, model } = JSON.parse(body)
    if (model === 'silent') return
    const [, words = '20', gap = '0'] = /(\d+) (\d+)$/.exec(messages.at(-1).content) ?? []
    void speak(response, Number(words), Number(gap))
  })
})

async function speak(response: ServerResponse, words: number, gapMs: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const begun = performance.now()
  for (let i = 0; i < words && !response.destroyed; i++) {
    response.write(WORD)
    const wait = begun + (i + 1) * gapMs - performance.now()
    if (wait > 0) await sleep(wait)
  }
  response.end(END)
}

server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
