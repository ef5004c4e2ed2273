import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedModel, startTestServer } from '../../../test/harness.ts'
import { isSafeChunk } from '../../http/streams/text-stream.ts'

// Longer than the server collects parts of an answer before it sends them.
const STEP_MS = 60

suite('no chunk of a plain stream is white space or JSON by itself, nor has half a character', () => {
  const answers: Record<string, string[]> = {
    'in the middle': [
      ...['4', '2', ' ', '\n\n', 'true', ' is', ' {"a":1}', '\ud83d', '\ude42', ' ', '7', ' end'],
    ],
    'where it ends with a marker': ['A ticket costs 12 euros. ', '[1.1]'],
    'where it ends with a number': ['The year was', ' 1989'],
    'where it ends with a word of JSON': ['It is', ' ', 'true'],
    'where it ends with white space': ['Hello', ' ', '\n'],
    'where it ends with what began inside of a word': ['We cons', 'true'],
  }
  for (const [where, pieces] of Object.entries(answers)) {
    test(where, async (t) => {
      const script = scriptedModel()
      const { owner, address } = await startTestServer(t, { models: [script.model] })
      const chatbot = await owner.createChatbot({ show_citations: true })
      await owner.createPair(chatbot, 'What has a price?', 'A ticket costs 12 euros.')
      const session = await owner.createSession(chatbot)
      script.model.stream = async function* () {
        for (const text of pieces) {
          yield { type: 'text-delta', text }
          await sleep(STEP_MS)
        }
        const tokens = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
        yield { type: 'finish', reason: 'stop', tokens }
      }
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = httpRequest(`${address}/api/v1/session/${session}/message/stream`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        })
        request.on('response', resolve).on('error', reject)
        request.end(JSON.stringify({ query: 'What is a ticket?' }))
      })
      // Read each chunk as it arrives: an iterator would join chunks that wait.
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      await once(response, 'end')
      const texts = chunks.map((chunk) => new TextDecoder('utf-8', { fatal: true }).decode(chunk))
      assert.deepEqual(
        texts.filter((text) => !isSafeChunk(text)),
        [],
      )
      assert.ok(texts.length > 1, 'it came while it was given')
      assert.equal(texts.join(''), pieces.join(''))
      assert.equal((await owner.messages(session)).at(-1).response, pieces.join(''))
    })
  }
})
