import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { fuzzInterface } from './fuzz-interface.ts'

// "npm run campaign:fuzz" runs longer.
test('whatever is sent to the interface, every reply is one that its description names', async () => {
  const server = await startTestServer({ after })
  const { requests, failures, statuses } = await fuzzInterface(server, { requests: 1_000, seed: 1 })
  assert.deepEqual(failures, [])
  assert.equal(requests, 1_000)
  for (const status of [200, 401, 403, 404, 422]) assert.ok(statuses[status], `some are ${status}`)
})
