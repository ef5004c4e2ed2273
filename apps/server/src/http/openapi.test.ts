import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { Chatbot } from '@docent/contract/chatbots.ts'
import { Message } from '@docent/contract/messages.ts'
import { NewSession, Session } from '@docent/contract/sessions.ts'
import { Source } from '@docent/contract/sources.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startTestServer } from '../../test/harness.ts'
import { makeRecords, openapi, routes } from '../../test/routes.ts'
import { describeApi } from '../commands/describe-api.ts'

interface Operation {
  summary?: string
  operationId?: string
  tags?: string[]
  responses: Record<string, unknown>
}

const INTERFACE = [
  'POST /chatbot/create',
  'POST /chatbot/{uuid}/update',
  'GET /chatbot/{uuid}',
  'GET /chatbots',
  'DELETE /chatbot/{uuid}/delete',
  'POST /chatbot/{uuid}/data-source/url',
  'POST /chatbot/{uuid}/data-source/qa',
  'POST /chatbot/{uuid}/data-source/upload',
  'POST /data-source/{uuid}/update',
  'GET /chatbot/{uuid}/data-sources',
  'POST /data-source/{uuid}/delete',
  'POST /data-sources/delete',
  'POST /chatbot/{uuid}/session/create',
  'GET /session/{uuid}',
  'GET /session/{uuid}/messages',
  'POST /session/{uuid}/message/stream',
  'POST /messages/delete',
]

suite('the OpenAPI description', () => {
  test('is valid OpenAPI 3.1 by an independent validator', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(openapi))
    assert.equal(valid, true, JSON.stringify(errors))
    assert.equal(validator.version, '3.1')
  })

  test('is what the routes say', async () => {
    assert.deepEqual(openapi, await describeApi())
  })

  test('has every operation of the interface', () => {
    const listed = routes.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(
      INTERFACE.filter((operation) => !listed.includes(operation)),
      [],
    )
  })

  test('has, for each operation, a summary, a success, the refusals, and examples', () => {
    const operationIds: string[] = []
    for (const [path, operations] of Object.entries<Record<string, Operation>>(openapi.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const where = `${method} ${path}`
        assert.ok(operation.summary && operation.operationId && operation.tags, where)
        const { responses } = operation
        for (const status of ['200', '401', '403', '503'])
          assert.ok(responses[status], `${where} ${status}`)
        if (path.includes('{uuid}')) assert.ok(responses['404'], where)
        operationIds.push(operation.operationId!)
        const shape = path.startsWith('/api/v1/') ? 'Error' : 'OpenAiError'
        assert.match(JSON.stringify(responses['401']), new RegExp(`#/components/schemas/${shape}"`))
      }
    }
    assert.equal(
      new Set(operationIds).size,
      operationIds.length,
      'each operation has an id of its own',
    )
    for (const { body, path, method } of routes) {
      if (body !== undefined)
        assert.doesNotMatch(JSON.stringify(body), /null/, `${method} ${path} has examples`)
    }
  })
})

suite('the records on the wire', async () => {
  const { owner, address } = await startTestServer({ after })
  const mine = await makeRecords(owner)

  for (const [path, schema] of [
    [`/chatbot/${mine.chatbot}`, Chatbot],
    ['/chatbots', Chatbot.array()],
    [`/data-source/${mine.source}`, Source],
    [`/chatbot/${mine.chatbot}/data-sources`, Source.array()],
    [`/session/${mine.session}`, Session],
    [`/chatbot/${mine.chatbot}/sessions`, Session.array()],
    [`/message/${mine.message}`, Message],
    [`/session/${mine.session}/messages`, Message.array()],
  ] as const) {
    test(`${path.replace(/[0-9a-f]{32}/, '…')} is what its schema says, to the key`, async () => {
      const { body } = await owner.json('GET', path)
      const parsed = schema.parse(body)
      assert.deepEqual(body, parsed)
      assert.deepEqual(Object.keys(body).sort(), Object.keys(parsed).sort())
    })
  }

  test('a new session is what its schema says', async () => {
    const { body } = await owner.json('POST', `/chatbot/${mine.chatbot}/session/create`)
    assert.deepEqual(body, NewSession.parse(body))
  })

  test('the description is served as it is committed', async () => {
    const committed = readFileSync(
      join(import.meta.dirname, '../../../../docs/openapi.json'),
      'utf8',
    )
    const served = await (await fetch(`${address}/openapi.json`)).json()
    assert.deepEqual(served, JSON.parse(committed))
    const page = await fetch(`${address}/docs`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), /swagger-ui/)
  })

  test('the models are listed, one of them the default', async () => {
    const { body } = await owner.json('GET', '/models')
    assert.deepEqual(body, [{ name: 'docent-quote', provider: 'docent', default: true }])
  })
})
