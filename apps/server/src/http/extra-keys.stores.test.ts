import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { z } from 'zod'
import type { $ZodType, $ZodTypes } from 'zod/v4/core'
import { startTestServer } from '../../test/harness.ts'
import { buildApp } from '../app.ts'

// Keys beyond a record's schema must not appear in a response, whatever their origin.

const CONTRACT = join(import.meta.dirname, '../../../../packages/contract/src')
const API = join(import.meta.dirname, '../features')
const LEAK = 'a key that nobody may see'

const records = new Map<string, z.ZodType>()
for (const file of globSync('*.ts', { cwd: CONTRACT })) {
  const schemas: Record<string, unknown> = await import(join(CONTRACT, file))
  for (const schema of Object.values(schemas)) {
    const id = schema instanceof z.ZodObject ? schema.meta()?.id : undefined
    if (id !== undefined) records.set(id, schema as z.ZodObject)
  }
}

/** An example value of a schema, with `extra` in each object that has fixed keys. */
function exampleOf(schema: $ZodType, extra: object): unknown {
  const { def } = (schema as $ZodTypes)._zod
  if (def.type === 'object') {
    const fields = Object.entries(def.shape).map(([key, inner]) => [key, exampleOf(inner, extra)])
    return { ...Object.fromEntries(fields), ...(def.catchall ? {} : extra) }
  }
  if (def.type === 'array') return [exampleOf(def.element, extra)]
  if (def.type === 'record') return { '1.1': exampleOf(def.valueType, extra) }
  if (def.type === 'nullable' || def.type === 'optional') return exampleOf(def.innerType, extra)
  return z.globalRegistry.get(schema)?.example ?? null
}

suite('an extra key', async () => {
  const { owner, services } = await startTestServer({ after })
  const app = buildApp(services)
  for (const [id, schema] of records) {
    app.get(`/extra/${id}`, {
      schema: { hide: true, response: { 200: schema } },
      handler: async () => exampleOf(schema, { leak: LEAK }),
    })
  }
  after(() => app.close())

  test('is looked for in every record', () => {
    assert.ok(records.size >= 30, [...records.keys()].join(' '))
  })

  for (const [id, schema] of records) {
    test(`of a record "${id}" does not leave`, async () => {
      assert.ok(JSON.stringify(exampleOf(schema, { leak: LEAK })).includes(LEAK))
      const { statusCode, body } = await app.inject(`/extra/${id}`)
      assert.equal(statusCode, 200, body)
      assert.deepEqual(JSON.parse(body), exampleOf(schema, {}))
    })
  }

  test('that is stored with a chatbot’s settings leaves with no record and no list', async () => {
    const chatbot = await owner.createChatbot({ prompt: 'Say "yes".\n' })
    const before = await owner.json('GET', `/chatbot/${chatbot}`)
    const { settings } = await services.db
      .selectFrom('chatbots')
      .select('settings')
      .where('id', '=', chatbot)
      .executeTakeFirstOrThrow()
    await services.db
      .updateTable('chatbots')
      .set({
        settings: JSON.stringify({ leak: LEAK, ...JSON.parse(settings) }),
        answering: JSON.stringify({ pairs_override: true, leak: LEAK }),
        modified_at: Date.now() + 5_000,
      })
      .where('id', '=', chatbot)
      .execute()
    await services.db
      .insertInto('widgets')
      .values({ chatbot_id: chatbot, settings: JSON.stringify({ leak: LEAK }) })
      .execute()

    const after = await owner.json('GET', `/chatbot/${chatbot}`)
    assert.deepEqual(after.body.meta, before.body.meta)
    for (const path of ['', '/answering', '/widget']) {
      const { status, body } = await owner.json('GET', `/chatbot/${chatbot}${path}`)
      assert.equal(status, 200)
      assert.ok(!JSON.stringify(body).includes(LEAK), path)
    }
    const list = await owner.json('GET', '/chatbots')
    assert.equal(list.body.length, 1)
    assert.ok(!JSON.stringify(list.body).includes(LEAK))
  })

  test('has no way past the schema: lists write their records by it, too', () => {
    const direct = globSync('*.ts', { cwd: API }).filter((file) =>
      /write: .*JSON\.stringify/.test(readFileSync(join(API, file), 'utf8')),
    )
    assert.deepEqual(direct, [])
  })
})
