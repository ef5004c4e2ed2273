import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCampaign } from './kill-campaign.ts'

test('a server killed again and again at random moments loses nothing that a client was told', async () => {
  const result = await runCampaign(6, Date.now() % 1_000_000)
  assert.equal(result.kills, 6)
  assert.ok(
    result.questions > 0 && result.interrupted > 0 && result.bytesRead > 0,
    JSON.stringify(result),
  )
})
