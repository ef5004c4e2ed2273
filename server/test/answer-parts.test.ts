import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readUntil, scriptedModel, startTestServer } from './harness.ts'

const PAUSE_MS = 40

test('however fast a model speaks, its answer is stored and sent 25 times a second at most', async (t) => {
  const script = scriptedModel()
  const { owner, services } = await startTestServer(t, { models: [script.model] })
  const session = await owner.createSession(await owner.createChatbot())
  script.say('word 0')
  const response = await owner.ask(session, 'hi')
  const reader = response.body!.getReader()
  let text = await readUntil(reader, 'word 0')
  const begun = performance.now()
  for (let i = 1; i <= 100; i++) {
    script.say(` word ${i}`)
    await sleep(2)
  }
  text += await readUntil(reader, 'word 100')
  const most = 2 + (performance.now() - begun) / PAUSE_MS
  const parts = await services.db
    .selectFrom('message_parts')
    .selectAll()
    .orderBy('position')
    .execute()
  assert.ok(parts.length <= most, `${parts.length} parts, ${most} at most`)
  assert.equal(parts.map((part) => part.text).join(''), text)
  script.finish()
  assert.equal((await reader.read()).done, true)
})
