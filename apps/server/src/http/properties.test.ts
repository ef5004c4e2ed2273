import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { startTestServer } from '../../test/harness.ts'
import { makeRecords, type Route, routes } from '../../test/routes.ts'

// Arbitrary JSON, text and bytes at every route must never cause a 5xx, and refused requests change nothing.

const RUNS = 25
const { owner, services } = await startTestServer({ after })
const mine = await makeRecords(owner)

/** Reads all stored data once no work is running, except token uses and rate-limit counts. */
async function everything(): Promise<string> {
  await noWorkLeft()
  const tables = [
    'chatbots',
    'sources',
    'revisions',
    'revision_pieces',
    'passages',
    'sessions',
    'messages',
    'users',
  ] as const
  const rows = await Promise.all(
    tables.map((table) => services.db.selectFrom(table).selectAll().execute()),
  )
  return JSON.stringify(rows)
}

/** Background work of an accepted request must not look like a change by the next one. */
async function noWorkLeft(): Promise<void> {
  for (;;) {
    const working = await services.db
      .selectFrom('sources')
      .select('id')
      .where((eb) => eb.or([eb('claim_id', 'is not', null), eb('due_at', '<=', Date.now())]))
      .executeTakeFirst()
    const answering = await services.db
      .selectFrom('messages')
      .select('id')
      .where('finish_reason', '=', '')
      .executeTakeFirst()
    if (!working && !answering) return
    await setTimeout(5)
  }
}

async function send(route: Route, body: string | Uint8Array<ArrayBuffer>, type: string) {
  const uuid = route.noun ? mine[route.noun] : ''
  const response = await fetch(owner.base + route.path.replace('{uuid}', uuid), {
    method: route.method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': type },
    body,
  })
  await response.text().catch(() => '')
  return response.status
}

/** Objects that have the route's fields and some others, with values of every kind. */
function likeBodyOf(route: Route): fc.Arbitrary<unknown> {
  const fields = Object.keys((route.body as object) ?? {})
  const extra = [
    'meta',
    'temperature',
    'rate_limit',
    'show_citation',
    'model',
    '__proto__',
    'uuids',
  ]
  const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant('\ud800'))
  return fc.dictionary(fc.constantFrom(...fields, ...extra), value)
}

// Delete and stop routes take no body to vary, and would remove the records.
const varied = routes.filter(
  ({ method, path }) => method !== 'GET' && !/\{uuid\}\/(delete|stop)$/.test(path),
)

suite('whatever is sent', () => {
  for (const route of varied) {
    test(`${route.method} ${route.path} never fails inside, and a refusal changes nothing`, async () => {
      const body = fc.oneof(
        likeBodyOf(route).map((value) => [JSON.stringify(value), 'application/json'] as const),
        fc.json().map((text) => [text, 'application/json'] as const),
        fc.string({ unit: 'binary' }).map((text) => [text, 'application/json'] as const),
        fc.uint8Array().map((bytes) => [new Uint8Array(bytes), 'application/json'] as const),
        fc
          .uint8Array()
          .map((bytes) => [new Uint8Array(bytes), 'multipart/form-data; boundary=x'] as const),
      )
      await fc.assert(
        fc.asyncProperty(body, async ([content, type]) => {
          const before = await everything()
          const status = await send(route, content, type)
          assert.ok(status < 500, `status ${status}`)
          if (status !== 200) assert.equal(await everything(), before)
        }),
        { numRuns: RUNS },
      )
    })
  }

  test('any path under the interface is answered', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.webPath(),
        fc.constantFrom('GET', 'POST', 'DELETE'),
        async (path, method) => {
          const response = await fetch(`${owner.base}${path}`, {
            method,
            headers: { authorization: `Bearer ${owner.token}` },
          })
          await response.text()
          assert.ok(response.status < 500)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('any query string of a list is answered', async () => {
    const pair = fc.tuple(
      fc.constantFrom('limit', 'after', 'start_timestamp', 'end_timestamp', 'offset'),
      fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed()),
    )
    const lists = routes.filter(({ method }) => method === 'GET')
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lists), fc.array(pair), async (route, pairs) => {
        const uuid = route.noun ? mine[route.noun] : ''
        const query = new URLSearchParams(pairs)
        const response = await owner.send('GET', `${route.path.replace('{uuid}', uuid)}?${query}`)
        await response.text()
        assert.ok(response.status === 200 || response.status === 422, `status ${response.status}`)
      }),
      { numRuns: 150 },
    )
  })

  test('any text comes back as it was sent', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    const kept = text.filter(
      (value) => value.trim() === value && value.isWellFormed() && !value.includes('\0'),
    )
    await fc.assert(
      fc.asyncProperty(kept, async (value) => {
        const { status, body } = await owner.json('POST', `/chatbot/${mine.chatbot}/update`, {
          name: value,
          prompt: value,
          rate_limit_message: value,
        })
        assert.equal(status, 200)
        assert.equal(body.name, value)
        const fetched = await owner.json('GET', `/chatbot/${mine.chatbot}`)
        assert.equal(fetched.body.meta.prompt, value)
        assert.equal(fetched.body.meta.rate_limit_message, value)
      }),
      { numRuns: 60 },
    )
  })
})
