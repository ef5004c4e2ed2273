import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, suite, type TestContext, test } from 'node:test'
import { startTestServer, until } from '../../../test/harness.ts'
import {
  DIMENSIONS,
  embedByTopic,
  sendEmbeddings,
  startEmbeddings,
} from '../../../test/local-embeddings.ts'
import { systemFaultOf } from '../../ingestion/journey/retryable-errors.ts'
import { EndpointEmbedder } from './endpoint-embedder.ts'

async function openEndpoint(t: TestContext, apiKey?: string) {
  const local = await startEmbeddings(t)
  const endpoint = { baseUrl: local.url, apiKey, model: 'test', dimensions: DIMENSIONS }
  return { local, embedder: new EndpointEmbedder(endpoint) }
}

const refuse =
  (status: number, headers: Record<string, string> = { 'retry-after': '0' }) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end()

suite('an embeddings endpoint', () => {
  test('is asked for a model’s vectors with the key, and they come in order and of length 1', async (t) => {
    const { local, embedder } = await openEndpoint(t, 'secret')
    const texts = ['The price', 'Our dogs', 'Lunch']
    const vectors = await embedder.embedPassages(texts)
    for (const [i, vector] of vectors.entries()) {
      const wanted = embedByTopic(texts[i]!)
      const length = Math.hypot(...wanted)
      assert.deepEqual(
        vector,
        Float32Array.from(Float32Array.from(wanted), (x) => x / length),
      )
    }
    const [request, ...others] = local.requests
    assert.deepEqual(others, [])
    assert.equal(request!.path, '/v1/embeddings')
    assert.equal(request!.headers.authorization, 'Bearer secret')
    assert.deepEqual(request!.body, { model: 'test', input: texts, encoding_format: 'float' })
  })

  test('gets no key when there is none', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    assert.equal((await embedder.embedQuestion('Dogs?')).length, DIMENSIONS)
    assert.equal(local.requests[0]!.headers.authorization, undefined)
  })

  test('is asked again after as long as it wants to be left alone', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    local.replies.push(refuse(429, { 'retry-after': '0.4' }), refuse(500))
    const began = performance.now()
    await embedder.embedQuestion('Dogs?')
    assert.ok(performance.now() - began >= 395)
    assert.equal(local.requests.length, 3)
  })

  test('is left alone until the date that it names', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    const until = new Date(Date.now() + 3_000).toUTCString()
    local.replies.push(refuse(503, { 'retry-after': until }))
    await embedder.embedQuestion('Dogs?')
    assert.ok(Date.now() >= Date.parse(until))
    assert.equal(local.requests.length, 2)
  })

  test('is given up after three failures', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    local.replies.push(refuse(500), refuse(502), refuse(500))
    await assert.rejects(
      embedder.embedQuestion('Dogs?'),
      /^Error: .*endpoint responded with status 500$/,
    )
    assert.equal(local.requests.length, 3)
  })

  test('is not asked again when it refuses for good', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    local.replies.push(refuse(401))
    await assert.rejects(embedder.embedQuestion('Dogs?'), /responded with status 401$/)
    assert.equal(local.requests.length, 1)
  })

  test('that gives vectors of another length is told both lengths', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    local.replies.push((response) => sendEmbeddings(response, [[1, 2, 3]]))
    await assert.rejects(embedder.embedQuestion('Dogs?'), /have 3 dimensions, not 8$/)
  })

  for (const [what, body] of [
    ['that is no JSON', '<html>Welcome</html>'],
    ['of another shape', '{"embeddings": [[1]]}'],
    ['with too few vectors', '{"data": []}'],
    ['with something else for a vector', '{"data": [{"index": 0, "embedding": "AAAA"}]}'],
  ] as const) {
    test(`that answers with a body ${what} is said not to answer with embeddings`, async (t) => {
      const { local, embedder } = await openEndpoint(t)
      local.replies.push((response) => response.end(body))
      await assert.rejects(embedder.embedQuestion('Dogs?'), /did not return embeddings$/)
    })
  }

  test('that breaks off is asked again', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    local.replies.push((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
      response.write('{"data": [', () => response.destroy())
    })
    assert.equal((await embedder.embedQuestion('Dogs?')).length, DIMENSIONS)
    assert.equal(local.requests.length, 2)
  })

  test('that refuses the key or answers with something else is waited for, and not what it finds wrong', async (t) => {
    const { local, embedder } = await openEndpoint(t)
    for (const [reply, isWaitedFor] of [
      [refuse(401), true],
      [refuse(404), true],
      [refuse(400), false],
      [(response: ServerResponse) => response.end('<html>Welcome</html>'), true],
      [(response: ServerResponse) => sendEmbeddings(response, [[1, 2, 3]]), true],
    ] as const) {
      local.replies.push(reply)
      const error = await embedder.embedPassages(['Dogs.']).catch((caught) => caught)
      assert.equal(systemFaultOf(error) !== undefined, isWaitedFor, error.message)
    }
  })

  test('that can’t be reached is said to be so', async () => {
    const endpoint = { baseUrl: 'http://127.0.0.1:9', apiKey: undefined, model: 'test' }
    const embedder = new EndpointEmbedder({ ...endpoint, dimensions: DIMENSIONS })
    await assert.rejects(embedder.embedQuestion('Dogs?'), /endpoint cannot be reached: /)
  })
})

suite('a server that uses an embeddings endpoint', async () => {
  const local = await startEmbeddings({ after })
  const environment = {
    EMBEDDER: 'endpoint:test',
    EMBEDDINGS_URL: local.url,
    EMBEDDINGS_API_KEY: 'secret',
    EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
  }
  const { owner, services } = await startTestServer({ after }, { environment })
  const chatbot = await owner.createChatbot()
  for (const text of ['Admission is 12 euros for adults.', 'Pets have to wait outside.']) {
    const upload = await owner.upload(chatbot, `${text.slice(0, 4)}.txt`, text)
    const { uuid } = (await upload.json()) as { uuid: string }
    assert.equal((await owner.settled(uuid)).status, 'success')
  }
  const search = async (query: string): Promise<string[]> => {
    const { status, body } = await owner.json('POST', `/chatbot/${chatbot}/search`, { query })
    assert.equal(status, 200)
    return body.map(({ text }: { text: string }) => text)
  }

  test('finds what means the same in other words', async () => {
    assert.equal((await search('What does a ticket cost?'))[0], 'Admission is 12 euros for adults.')
    assert.equal((await search('Are dogs welcome?'))[0], 'Pets have to wait outside.')
    assert.equal(local.requests[0]!.headers.authorization, 'Bearer secret')
  })

  test('answers by words as long as the endpoint is down, and by meaning when it is back', async () => {
    local.state = () => 'down'
    assert.deepEqual(await search('Which tickets do you have?'), [])
    assert.deepEqual(await search('pets outside'), ['Pets have to wait outside.'])
    const session = await owner.createSession(chatbot)
    const answer = await owner.ask(session, 'Do pets have to wait outside?')
    assert.match(await answer.text(), /Pets have to wait outside\./)
    local.state = () => 'up'
    assert.equal(
      (await search('Which tickets do you have?'))[0],
      'Admission is 12 euros for adults.',
    )
  })

  test('lets a source wait while the endpoint is down, whatever time that takes', async () => {
    local.state = () => 'down'
    const upload = await owner.upload(chatbot, 'soup.txt', 'There is soup in the café.')
    const { uuid } = (await upload.json()) as { uuid: string }
    const waiting = await until(async () => {
      const { body } = await owner.json('GET', `/data-source/${uuid}`)
      return body.status === 'await' ? JSON.parse(body.meta_json).waiting : undefined
    })
    assert.equal(
      waiting,
      'The embeddings endpoint responded with status 503. Next attempt in 30 seconds.',
    )
    const { attempts } = await services.db
      .selectFrom('sources')
      .select('attempts')
      .where('id', '=', uuid)
      .executeTakeFirstOrThrow()
    assert.equal(attempts, 0, 'it was not the source that failed')
    local.state = () => 'up'
    assert.equal((await owner.json('POST', `/data-source/${uuid}/retry`)).status, 200)
    assert.equal((await owner.settled(uuid)).status, 'success')
    assert.equal((await search('Where can I eat?'))[0], 'There is soup in the café.')
  })

  test('answers by words when the endpoint keeps it waiting, and leaves it alone for a while', async () => {
    local.state = () => 'hanging'
    assert.deepEqual(await search('pets outside today'), ['Pets have to wait outside.'])
    const asked = local.requests.length
    assert.deepEqual(await search('pets outside tomorrow'), ['Pets have to wait outside.'])
    assert.equal(local.requests.length, asked)
    local.state = () => 'up'
  })
})
