import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WriteProbe } from './write-probe.ts'

test('a write is tried rarely: once for all who ask at the same time, and again after half a minute', async (t) => {
  t.mock.method(performance, 'now', () => now)
  let now = 0
  let writes = 0
  let failing = false
  const probe = new WriteProbe(async () => {
    writes += 1
    if (failing) throw new Error('full')
  })
  await Promise.all([probe.check(), probe.check(), probe.check()])
  now = 29_000
  await probe.check()
  assert.equal(writes, 1)
  now = 31_000
  failing = true
  await assert.rejects(probe.check(), /full/)
  await assert.rejects(probe.check(), /full/)
  assert.equal(writes, 2)
  failing = false
  now = 37_000
  await probe.check()
  assert.equal(writes, 3)
})
