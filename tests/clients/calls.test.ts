import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import {
  ApiError,
  ConflictError,
  ConnectionError,
  Docent,
  DocentError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedAnswerError,
} from '@docent/client'
import { readRetryAfter } from '@docent/client/http/retry.ts'
import { startSite, startTestServer } from '@docent/server/test/harness.ts'

suite('a call', async () => {
  const server = await startTestServer({ after })
  const { token } = server.owner
  const client = new Docent({ baseUrl: server.address, token })

  /** A proxy that answers requests from a list, in order. Undefined passes a request on. */
  async function startGate(answers: (((n: number) => [number, object, string]) | undefined)[]) {
    let requests = 0
    const address = await startSite({ after }, (request, response) => {
      const answer = answers[Math.min(requests, answers.length - 1)]
      requests += 1
      if (answer) {
        const [status, headers, body] = answer(requests)
        if (status === 0) response.destroy()
        else if (status > 0) response.writeHead(status, { ...headers }).end(body)
        return
      }
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const passed = await fetch(server.address + request.url, {
          method: request.method!,
          headers: request.headers as Record<string, string>,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        })
        response.writeHead(passed.status, { 'content-type': 'application/json' })
        response.end(await passed.text())
      })()
    })
    const gated = new Docent({ baseUrl: address, token })
    return { gated, address, requests: () => requests }
  }
  const cut = () => [0, {}, ''] as [number, object, string]
  const silent = () => [-1, {}, ''] as [number, object, string]
  const refuse =
    (status: number, headers = {}) =>
    () =>
      [status, headers, ''] as [number, object, string]

  test('that is refused throws by its status, with code, request id and details', async () => {
    const { token: readOnly } = await server.tokenFor('owner', { scopes: ['read'] })
    const chatbot = await client.chatbots.create({ name: 'Guide' })
    const theirs = new Docent({ baseUrl: server.address, token: server.stranger.token })
    const nobody = new Docent({ baseUrl: server.address })
    const reader = new Docent({ baseUrl: server.address, token: readOnly })
    const cases: [() => Promise<unknown>, new (...args: never[]) => ApiError, number, string][] = [
      [() => client.chatbots.get('0'.repeat(32)), NotFoundError, 404, 'not_found'],
      [() => theirs.chatbots.get(chatbot), NotFoundError, 404, 'not_found'],
      [() => client.chatbots.create({ name: '' }), InvalidError, 422, 'invalid'],
      [() => nobody.chatbots.list(), UnauthorizedError, 401, 'unauthorized'],
      [() => reader.chatbots.delete(chatbot), ForbiddenError, 403, 'forbidden'],
    ]
    for (const [call, type, status, code] of cases) {
      const error = await call().then(
        () => assert.fail(`${code} was expected`),
        (thrown: ApiError) => thrown,
      )
      assert.ok(error instanceof type && error instanceof ApiError && error instanceof DocentError)
      assert.deepEqual([error.name, error.status, error.code], [type.name, status, code])
      assert.match(error.requestId, /./)
    }
    const invalid = await client.chatbots
      .update(chatbot, { temperature: 9 })
      .catch((error: InvalidError) => error)
    assert.deepEqual((invalid as InvalidError).details, [
      { loc: ['body', 'temperature'], msg: 'must be at most 2', type: 'too_big' },
    ])
    await client.signIn.setUp({
      name: 'owner',
      password: 'a long enough password',
      code: server.services.setupCode,
    })
    const second = client.signIn.setUp({
      name: 'other',
      password: 'a long enough password',
      code: server.services.setupCode,
    })
    await assert.rejects(second, ConflictError)
  })

  test('that fails for now is repeated, when repeating does no harm', async () => {
    const { gated, requests } = await startGate([
      cut,
      refuse(502),
      refuse(504),
      refuse(503),
      undefined,
    ])
    assert.equal((await gated.account.user()).name, 'owner')
    assert.equal(requests(), 5)
  })

  test('that creates is not repeated when nobody knows whether it arrived', async () => {
    for (const failure of [cut, refuse(502)]) {
      const { gated, requests } = await startGate([failure, undefined])
      const creating = gated.chatbots.create({ name: 'Once' })
      await assert.rejects(creating, failure === cut ? ConnectionError : ServerError)
      assert.equal(requests(), 1)
    }
    assert.ok((await client.chatbots.list()).every(({ name }) => name !== 'Once'))
  })

  test('that creates is repeated when it was refused before anything was done', async () => {
    const { gated, requests } = await startGate([
      refuse(429, { 'retry-after': '0' }),
      refuse(503, { 'retry-after': new Date().toUTCString() }),
      undefined,
    ])
    assert.equal((await gated.chatbots.create({ name: 'Later' })).name, 'Later')
    assert.equal(requests(), 3)
  })

  test('is not repeated more often than it should be, nor when the wait is too long', async () => {
    const away = await startGate([refuse(503)])
    await assert.rejects(away.gated.models.list({ retries: 2 }), UnavailableError)
    assert.equal(away.requests(), 3)
    const full = await startGate([refuse(429, { 'retry-after': '31' })])
    await assert.rejects(full.gated.models.list(), (error: RateLimitError) => {
      assert.ok(error instanceof RateLimitError)
      return error.retryAfterMs === 31_000
    })
    assert.equal(full.requests(), 1)
  })

  test('waits as long as Retry-After says, in seconds or until a date', () => {
    const now = Date.parse('2026-11-15T01:12:03Z')
    assert.equal(readRetryAfter('120', now), 120_000)
    assert.equal(readRetryAfter('1.5', now), 1_500)
    assert.equal(readRetryAfter('Sun, 15 Nov 2026 01:12:33 GMT', now), 30_000)
    assert.equal(readRetryAfter('Sun, 15 Nov 2026 01:11:33 GMT', now), 0)
    assert.equal(readRetryAfter('soon', now), undefined)
    assert.equal(readRetryAfter(null, now), undefined)
  })

  test('that takes too long throws a TimeoutError, and an abort its reason', async () => {
    const { gated } = await startGate([silent])
    await assert.rejects(gated.models.list({ timeout: 50, retries: 1 }), TimeoutError)
    await assert.rejects(gated.sessions.create('0'.repeat(32), { timeout: 50 }), TimeoutError)
    const abort = new AbortController()
    const call = gated.models.list({ signal: abort.signal })
    const why = new Error('No longer wanted')
    abort.abort(why)
    await assert.rejects(call, why)
    const { gated: refusing } = await startGate([refuse(503, { 'retry-after': '20' })])
    const waiting = refusing.models.list({ signal: AbortSignal.timeout(100) })
    await assert.rejects(waiting, { name: 'TimeoutError' })
  })

  test('of something that is no such server says so', async () => {
    const page = await startGate([() => [200, { 'content-type': 'text/html' }, '<h1>Welcome</h1>']])
    await assert.rejects(page.gated.models.list(), UnexpectedAnswerError)
    await assert.rejects(
      page.gated.sessions.ask('0'.repeat(32), 'Hm?').next(),
      UnexpectedAnswerError,
    )
    const nobody = new Docent({ baseUrl: 'http://127.0.0.1:1', token, retries: 0 })
    await assert.rejects(nobody.models.list(), ConnectionError)
    for (const baseUrl of ['', 'chat.example.org', 'ftp://example.org', '/api']) {
      assert.throws(() => new Docent({ baseUrl }), TypeError)
    }
    assert.throws(() => new Docent(), TypeError)
  })

  test('takes the address with or without what comes after the host', async () => {
    for (const end of ['', '/', '/api/v1', '/api/v1/']) {
      const same = new Docent({ baseUrl: server.address + end, token })
      assert.equal((await same.account.user()).name, 'owner')
    }
  })
})
